/** The effect of an ended run on the account of its agent. */
import type { Account } from '../../account.ts'
import { isPaused } from '../../gates/admission.ts'
import type { ScopeRows } from '../../decision.ts'
import type { FailureOutcome } from '../../limits/failure.ts'
import { accountAfter, freshAccount } from '../../limits/quota.ts'
import type { Run } from '../../run.ts'
import type { Outcome } from '../../vocabulary.ts'
import type { SettleContext } from './settle-context.ts'

/** The account of the run, in its state before this ending changes it. */
export const accountOf = (rows: ScopeRows, run: Run, now: number): Account | null =>
  run.account === null ? null : (rows.account ?? freshAccount(run.account, now))

export const accountMove = (context: SettleContext, outcome: Outcome): ReturnType<typeof accountAfter> =>
  context.account === null
    ? null
    : accountAfter(context.account, context.run, {
        outcome,
        retryAt: context.input.ending.retryAt,
        authFault: authFaultIn(context),
        settings: context.settings,
        now: context.now,
      })

const authFaultIn = ({ input: { ending } }: SettleContext): string | null =>
  ending.how === 'auth_failed' ? (ending.error ?? 'the login was refused') : null

/**
 * The end of the account's pause after a rate limit. Null means that the account is not paused, so the card itself must
 * wait.
 */
export function accountWait(context: SettleContext, outcome: FailureOutcome): number | null {
  const account = accountMove(context, outcome)?.row ?? context.account
  if (outcome !== 'rate_limited' || account === null || !isPaused(account, context.now)) return null
  return account.pausedUntil ?? context.now
}
