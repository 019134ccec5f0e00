import type { Account } from '../account.ts'
import { gateOf, obstacle } from './reason.ts'
import type { Reason } from './reason.ts'

/** Why an account is paused, in the form that the cards of its agents report. */
export function accountReason({ name, pauseCause: cause, pauseReason: reason, pausedUntil }: Account): Reason {
  const found = obstacle('account_paused', { account: name, cause, reason }, pausedUntil)
  const remedies = [{ operation: 'resume', input: { kind: 'account', name }, asks: [] }] as const
  return { ...found, gate: gateOf(found), remedies }
}
