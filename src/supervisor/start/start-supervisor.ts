/** Starts the supervisor of a run. The supervisor continues to run after the process that started it has ended. */
import type { Environment } from '../../config/environment.ts'
import { passedVariables } from '../../config/system.ts'
import type { Host } from '../../processes/identity.ts'
import { modelEnvironment, storeEnvironment, supervisorEnvironment } from '../../processes/environment.ts'
import type { RunDirectory } from '../../runs/files/run-directory.ts'
import { startDetached } from '../../processes/spawn.ts'
import type { ProcessExit } from '../../processes/spawn.ts'
import { noteSupervisor } from './started-supervisor.ts'

export interface SupervisorRequest {
  /** The path of the bundled file dist/supervisor.js. */
  readonly program: string
  readonly directory: RunDirectory
  readonly host: Host
  readonly env: Environment
  readonly passEnvironment: readonly string[]
  /** Whether the store is a database server, whose client reads settings from the environment. */
  readonly remoteStore: boolean
  /** The variables with the keys of models. The agent does not get them. */
  readonly modelKeys: readonly string[]
}

/**
 * Flags of the supervisor. A supervisor has a small heap and runs beside many others, so threads for garbage collection
 * cost more than they save. The build makes the supervisor's code cache with the same flags.
 */
const FLAGS = ['--single-threaded-gc', '--v8-pool-size=1']

export async function startSupervisor(
  request: SupervisorRequest,
): Promise<{ pid: number; exited: Promise<ProcessExit> }> {
  const { program, directory, host, env, passEnvironment, remoteStore, modelKeys } = request
  const { pid, exited, release } = await startDetached({
    program: process.execPath,
    args: [...FLAGS, program, directory.path],
    cwd: directory.path,
    env: {
      ...modelEnvironment(env, modelKeys),
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
