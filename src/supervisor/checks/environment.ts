/**
 * The environment of a check. The variable with the socket of the run is left out, because a check must not report a
 * verdict.
 */
import type { Environment } from '../../config/environment.ts'
import type { RunId } from '../../core/ids.ts'
import type { Task } from '../../core/task.ts'
import { allowedEnvironment } from '../../processes/environment.ts'

interface CheckedRun {
  readonly task: Pick<Task, 'id' | 'board' | 'tenant'>
  readonly workspace: string
  readonly run: RunId
  /** The variables that the agent's file names. Checks get these variables too. */
  readonly passed: readonly string[]
}

export const checkEnvironment = (env: Environment, { task, workspace, run, passed }: CheckedRun): Environment => ({
  ...allowedEnvironment(env, passed),
  MUSTER_TASK: task.id,
  MUSTER_RUN: run,
  MUSTER_BOARD: task.board,
  MUSTER_WORKSPACE: workspace,
  ...(task.tenant === null ? {} : { MUSTER_TENANT: task.tenant }),
})
