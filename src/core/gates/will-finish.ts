import { isGoalMet } from '../goal.ts'
import { allChecksPassed } from '../required-checks.ts'
import type { Run, Verdict } from '../run.ts'
import type { Task } from '../task.ts'

interface RunEnd {
  readonly how: string
  readonly exitCode?: number | null | undefined
  readonly signal?: string | null | undefined
}

interface Facts {
  readonly task: Pick<Task, 'checks' | 'goal'>
  readonly run: Pick<Run, 'phase' | 'kind' | 'intent' | 'verdict' | 'checks' | 'goal'>
  readonly ending: RunEnd
  /** The verdict in the run's verdict file. This verdict is used only if the store has no verdict. */
  readonly verdict: Verdict | null
  readonly completesOnExit: boolean
}

/**
 * Whether this run will complete its card or request a review. The files in the worktree of such a run are ready to
 * commit.
 */
export function willFinish({ task, run, ending, verdict, completesOnExit }: Facts): boolean {
  if (run.phase !== 'work') return false
  const isChecked = allChecksPassed(task, run)
  if (run.intent !== null)
    return ['complete', 'approve'].includes(run.intent.verb) && (isChecked || run.intent.force !== null)
  const isAccepted = isChecked && isGoalMet(task, run) && run.goal?.stop == null
  const given = run.verdict ?? verdict
  if (given !== null) return isAccepted && (given.kind === 'complete' || given.kind === 'request_review')
  const { how, exitCode = null, signal = null } = ending
  return how === 'exited' && completesOnExit && exitCode === 0 && signal === null && isAccepted
}
