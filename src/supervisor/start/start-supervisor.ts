/** Starts the supervisor of a run. The supervisor outlives the process that starts it. */
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
  /** Whether the store is a database server, whose client reads settings from the environment. */
  readonly remoteStore: boolean
}

/**
 * A supervisor has a small heap and runs beside many others, so threads for garbage collection cost more than they
 * save. The build's code cache is made with the same flags.
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
