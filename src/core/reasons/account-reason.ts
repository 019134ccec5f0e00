import type { Account } from '../account.ts'
import { gateOf, obstacle } from './reason.ts'
import type { Reason } from './reason.ts'

/** The reason why an account is paused. This reason is shown for all cards of the account's agents. */
export function accountReason({ name, pauseCause: cause, pauseReason: reason, pausedUntil }: Account): Reason {
  const found = obstacle('account_paused', { account: name, cause, reason }, pausedUntil)
  const remedies = [{ operation: 'resume', input: { kind: 'account', name }, asks: [] }] as const
  return { ...found, gate: gateOf(found), remedies }
}
