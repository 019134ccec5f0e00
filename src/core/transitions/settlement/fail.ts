import { failureMove } from '../../limits/failure.ts'
import type { FailureOutcome } from '../../limits/failure.ts'
import { accountWait } from './account.ts'
import { ignoredVerdict } from './settle-context.ts'
import type { SettleContext, Settlement } from './settle-context.ts'

/** The run failed, or was ended: what that means for its card is the business of the failure rules. */
export function fail(
  about: SettleContext,
  outcome: FailureOutcome,
  error: string | null,
  by = 'muster:supervisor',
): Settlement {
  const { task, run, settings, now, recentAttempts, input, said } = about
  const { exitCode, signal, retryAt } = input.ending
  const move = failureMove(
    task,
    run,
    { outcome, error, exitCode, signal, by, retryAt, accountUntil: accountWait(about, outcome) },
    { settings, now, recentAttempts },
  )
  return {
    outcome,
    move,
    error,
    handOff: { summary: said?.summary ?? null, metadata: said?.metadata ?? null },
    events: ignoredVerdict(about),
  }
}
