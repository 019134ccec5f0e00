/** Starts the process that owns one run. It outlives whoever started it. */
import type { Environment } from '../../config/environment.ts'
import { passedVariables } from '../../config/system.ts'
import type { Host } from '../../processes/identity.ts'
import { storeEnvironment, supervisorEnvironment } from '../../processes/environment.ts'
import type { RunDirectory } from '../../runs/files/run-directory.ts'
import { startDetached } from '../../processes/spawn.ts'
import type { ProcessExit } from '../../processes/spawn.ts'
import { noteSupervisor } from './started-supervisor.ts'

export interface SupervisorRequest {
  /** The bundled file dist/supervisor.js. */
  readonly program: string
  readonly directory: RunDirectory
  readonly host: Host
  readonly env: Environment
  readonly passEnvironment: readonly string[]
  /** Whether the store is a server, whose client may read its settings from the environment. */
  readonly remoteStore: boolean
}

/**
 * It has a small heap and lives beside many of its kind: threads that help to collect it cost more, in memory and in
 * waiting for a core, than they save. The build keeps code that was compiled under these very flags.
 */
const FLAGS = ['--single-threaded-gc', '--v8-pool-size=1']

export async function startSupervisor(
  request: SupervisorRequest,
): Promise<{ pid: number; exited: Promise<ProcessExit> }> {
  const { program, directory, host, env, passEnvironment, remoteStore } = request
  const { pid, exited, release } = await startDetached({
    program: process.execPath,
    args: [...FLAGS, program, directory.path],
    cwd: directory.path,
    env: {
      ...supervisorEnvironment(env, passEnvironment),
      ...(remoteStore ? storeEnvironment(env) : {}),
      ...passedVariables(env),
    },
    log: directory.supervisorLog,
  })
  release()
  await noteSupervisor(directory, host, pid)
  return { pid, exited }
}
