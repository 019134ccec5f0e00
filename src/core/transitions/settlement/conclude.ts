/**
 * Settles a run without a person's command. The worker's verdict decides if its checks passed; otherwise the way the
 * run ended decides.
 */
import { requiredChecks, wasChecked } from '../../required-checks.ts'
import type { FailureOutcome } from '../../limits/failure.ts'
import type { Verdict } from '../../run.ts'
import { cutFront } from '../../text.ts'
import { needsChecks } from '../run-life.ts'
import { isChecked } from './settle-context.ts'
import type { SettleContext, Settlement } from './settle-context.ts'
import { fail } from './fail.ts'
import { applyVerdict } from './verdict.ts'

/** Whether the verdict applies. Completing and requesting a review need passed checks; the other verdicts do not. */
const counts = (context: SettleContext, verdict: Verdict): boolean => !needsChecks(verdict) || isChecked(context)

export function conclude(context: SettleContext): Settlement {
  const { verdict, input } = context
  if (verdict && counts(context, verdict)) return applyVerdict(context, verdict)
  const { how, exitCode, signal } = input.ending
  if (
    how === 'exited' &&
    verdict === null &&
    input.completesOnExit &&
    exitCode === 0 &&
    signal === null &&
    isChecked(context)
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

const checkOutput = ({ run }: SettleContext, outcome: FailureOutcome): string | null =>
  outcome === 'checks_failed' ? (run.checks?.output ?? null) : null

/** Builds an error from the exit status and the last output, if the run reported no error. */
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
 * The outcome if the agent exited with code 0, but its work is not checked or its verdict is missing. If the supervisor
 * was lost, it could not run the checks or remind the agent, so the run does not count as a failure.
 */
function uncheckedOutcome({
  input: { by, completesOnExit },
  verdict,
  task,
  run,
  settings,
}: SettleContext): FailureOutcome {
  const isLost = 'machine' in by
  const awaitsChecks = verdict !== null || (completesOnExit && requiredChecks(task, run).length > 0)
  if (awaitsChecks) return isLost ? 'interrupted' : 'checks_failed'
  if (isLost && (run.checks?.tries ?? 0) < settings.checkTries) return 'interrupted'
  return wasChecked(run) ? 'checks_failed' : 'protocol_violation'
}
