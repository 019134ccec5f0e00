import { failureMove } from '../../limits/failure.ts'
import type { FailureOutcome } from '../../limits/failure.ts'
import { renewTurns } from '../../moves.ts'
import { accountWait } from './account.ts'
import { ignoredVerdict } from './settle-context.ts'
import type { SettleContext, Settlement } from './settle-context.ts'

/** Settles a run that failed or was ended early. The rules for this are in limits/failure.ts. */
export function fail(
  context: SettleContext,
  outcome: FailureOutcome,
  error: string | null,
  by = 'muster:supervisor',
): Settlement {
  const { task, run, settings, now, recentAttempts, input, verdict } = context
  const { exitCode, signal, retryAt } = input.ending
  const move = failureMove(
    task,
    run,
    { outcome, error, exitCode, signal, by, retryAt, accountUntil: accountWait(context, outcome) },
    { settings, now, recentAttempts },
  )
  return {
    outcome,
    // The checks of a card can fail after its judge accepted the last turn, if a person added checks.
    move: { ...move, patch: { ...renewTurns(task), ...move.patch } },
    error,
    handOff: { summary: verdict?.summary ?? null, metadata: verdict?.metadata ?? null },
    events: ignoredVerdict(context),
  }
}
