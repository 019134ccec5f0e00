/** What an account learns from how one of its runs ended. */
import type { Account } from '../../account.ts'
import { isPaused } from '../../gates/admission.ts'
import type { Rows } from '../../decision.ts'
import type { FailureOutcome } from '../../limits/failure.ts'
import { accountAfter, freshAccount } from '../../limits/quota.ts'
import type { Run } from '../../run.ts'
import type { Outcome } from '../../vocabulary.ts'
import type { SettleContext } from './settle-context.ts'

/** The account that a run spends, as it stands before this ending. */
export const accountOf = (rows: Rows, run: Run, now: number): Account | null =>
  run.account === null ? null : (rows.account ?? freshAccount(run.account, now))

/** What the account learns from this ending. */
export const accountMove = (about: SettleContext, outcome: Outcome): ReturnType<typeof accountAfter> =>
  about.account === null
    ? null
    : accountAfter(about.account, about.run, {
        outcome,
        retryAt: about.input.ending.retryAt,
        authFault: authFaultIn(about),
        settings: about.settings,
        now: about.now,
      })

const authFaultIn = ({ input: { ending } }: SettleContext): string | null =>
  ending.how === 'auth_failed' ? (ending.error ?? 'it was not let in') : null

/** Until when the account holds back its cards, once a limit was met; null where the card must wait for itself. */
export function accountWait(about: SettleContext, outcome: FailureOutcome): number | null {
  const account = accountMove(about, outcome)?.row ?? about.account
  if (outcome !== 'rate_limited' || account === null || !isPaused(account, about.now)) return null
  return account.pausedUntil ?? about.now
}
