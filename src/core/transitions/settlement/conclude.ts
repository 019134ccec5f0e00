/** How a run ended by itself: the worker's verdict if its checks passed, else how its processes ended. */
import { requiredChecks, wasChecked } from '../../required-checks.ts'
import type { FailureOutcome } from '../../limits/failure.ts'
import type { Verdict } from '../../run.ts'
import { cutFront } from '../../text.ts'
import { needsChecks } from '../run-life.ts'
import { isChecked } from './settle-context.ts'
import type { SettleContext, Settlement } from './settle-context.ts'
import { fail } from './fail.ts'
import { applyVerdict } from './verdict.ts'

/** A verdict stands when its checks passed; a word to stop working needs none. */
const verdictStands = (about: SettleContext, said: Verdict): boolean => !needsChecks(said) || isChecked(about)

/** How a run ends that nobody but its worker had a word in. */
export function conclude(about: SettleContext): Settlement {
  const { said, input } = about
  if (said && verdictStands(about, said)) return applyVerdict(about, said)
  const { how, exitCode, signal } = input.ending
  if (
    how === 'exited' &&
    said === null &&
    input.completesOnExit &&
    exitCode === 0 &&
    signal === null &&
    isChecked(about)
  )
    return applyVerdict(about, {
      kind: 'complete',
      summary: input.lastWords,
      metadata: null,
      result: null,
      artifacts: [],
      createdCards: [],
    })
  const outcome = outcomeOf(about)
  return fail(about, outcome, input.ending.error ?? checkOutput(about, outcome) ?? lastWordsOf(about))
}

const checkOutput = ({ run }: SettleContext, outcome: FailureOutcome): string | null =>
  outcome === 'checks_failed' ? (run.checks?.output ?? null) : null

/** The words of a failure that gave no error of its own: without them the morning reader learns nothing. */
const lastWordsOf = ({ input: { ending, lastWords } }: SettleContext): string => {
  const how = ending.signal
    ? `killed by ${ending.signal}`
    : ending.exitCode !== null
      ? `exit ${ending.exitCode}`
      : ending.how
  return lastWords ? `${how}: ${cutFront(lastWords.trim(), 400)}` : how
}

function outcomeOf(about: SettleContext): FailureOutcome {
  const { ending } = about.input
  switch (ending.how) {
    case 'exited':
      if (ending.exitCode === 75) return 'rate_limited'
      if (ending.exitCode !== 0 || ending.signal !== null) return 'crashed'
      return uncheckedOutcome(about)
    case 'turn_limit':
      return 'timed_out'
    // Its account is to blame, and waits for a person.
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
 * It ended well and is not believed. Checks that nobody is left to run are nobody's failure, and neither is a word that
 * nobody was left to ask for again.
 */
function uncheckedOutcome({
  input: { by, completesOnExit },
  said,
  task,
  run,
  settings,
}: SettleContext): FailureOutcome {
  const isLost = 'machine' in by
  const waits = said !== null || (completesOnExit && requiredChecks(task, run).length > 0)
  if (waits) return isLost ? 'interrupted' : 'checks_failed'
  if (isLost && (run.checks?.tries ?? 0) < settings.checkTries) return 'interrupted'
  return wasChecked(run) ? 'checks_failed' : 'protocol_violation'
}
