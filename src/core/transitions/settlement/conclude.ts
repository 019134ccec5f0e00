/**
 * Settles a run if no person gave a command on its card. The worker's verdict decides if its checks passed. Otherwise
 * the way in which the run ended decides.
 */
import { JUDGE_NAME, isJudgedRun } from '../../goal.ts'
import { requiredChecks, wasChecked } from '../../required-checks.ts'
import type { FailureOutcome } from '../../limits/failure.ts'
import type { GoalState, Verdict } from '../../run.ts'
import { blockMove } from '../../moves.ts'
import { cutFront } from '../../text.ts'
import { needsChecks } from '../run-life.ts'
import { ignoredVerdict, isAccepted } from './settle-context.ts'
import type { SettleContext, Settlement } from './settle-context.ts'
import { fail } from './fail.ts'
import { applyVerdict } from './verdict.ts'

/** Whether the verdict applies. A completion or a review request needs passed checks and a judge that agrees. */
const counts = (context: SettleContext, verdict: Verdict): boolean => !needsChecks(verdict) || isAccepted(context)

export function conclude(context: SettleContext): Settlement {
  const { verdict, input, task, run } = context
  const stop = isJudgedRun(task, run) ? (run.goal?.stop ?? null) : null
  if (stop !== null) return stopGoal(context, stop)
  if (verdict && counts(context, verdict)) return applyVerdict(context, verdict)
  const { how, exitCode, signal } = input.ending
  if (
    how === 'exited' &&
    verdict === null &&
    input.completesOnExit &&
    exitCode === 0 &&
    signal === null &&
    isAccepted(context)
  )
    return applyVerdict(context, {
      kind: 'complete',
      summary: input.lastOutput,
      metadata: null,
      result: null,
      artifacts: [],
      createdCards: [],
    })
  const outcome = outcomeOf(context)
  return fail(context, outcome, input.ending.error ?? checkOutput(context, outcome) ?? describeEnd(context))
}

/** Blocks the card as its judge decided. The history keeps a pending verdict. */
function stopGoal(context: SettleContext, { kind, reason }: NonNullable<GoalState['stop']>): Settlement {
  const { task, run, settings, now, verdict } = context
  const request = { kind, reason, by: JUDGE_NAME }
  return {
    outcome: 'blocked',
    move: blockMove(task, request, { settings, now, runId: run.id, inReview: false }),
    handOff: { summary: reason, metadata: verdict?.metadata ?? null },
    error: null,
    events: ignoredVerdict(context),
  }
}

const checkOutput = ({ run }: SettleContext, outcome: FailureOutcome): string | null =>
  outcome === 'checks_failed' ? (run.checks?.output ?? null) : null

/** Describes the end of a run that reported no error, from its exit status and its last output. */
const describeEnd = ({ input: { ending, lastOutput } }: SettleContext): string => {
  const how = ending.signal
    ? `killed by ${ending.signal}`
    : ending.exitCode !== null
      ? `exit ${ending.exitCode}`
      : ending.how
  return lastOutput ? `${how}: ${cutFront(lastOutput.trim(), 400)}` : how
}

function outcomeOf(context: SettleContext): FailureOutcome {
  const { ending } = context.input
  switch (ending.how) {
    case 'exited':
      if (ending.exitCode === 75) return 'rate_limited'
      if (ending.exitCode !== 0 || ending.signal !== null) return 'crashed'
      return uncheckedOutcome(context)
    case 'turn_limit':
      return 'timed_out'
    // The account is at fault, not the card. The account stays paused until a person resumes it.
    case 'auth_failed':
      return 'interrupted'
    case 'timed_out':
    case 'stale':
    case 'rate_limited':
    case 'spawn_failed':
    case 'interrupted':
    case 'stopped':
    case 'checks_failed':
      return ending.how
  }
}

/**
 * The outcome if the agent exited with code 0, but its checks did not run or its verdict is missing. If the supervisor
 * died, it could not run the checks or remind the agent. In that case, the run does not count as a failure.
 */
function uncheckedOutcome({
  input: { by, completesOnExit },
  verdict,
  task,
  run,
  settings,
}: SettleContext): FailureOutcome {
  const isLost = 'machine' in by
  // Only a supervisor asks the judge. Without a judgement, the turn does not count.
  if (isLost && isJudgedRun(task, run)) return 'interrupted'
  const awaitsChecks = verdict !== null || (completesOnExit && requiredChecks(task, run).length > 0)
  if (awaitsChecks) return isLost ? 'interrupted' : 'checks_failed'
  if (isLost && (run.checks?.tries ?? 0) < settings.checkTries) return 'interrupted'
  return wasChecked(run) ? 'checks_failed' : 'protocol_violation'
}
