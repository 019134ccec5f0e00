/**
 * The states of an account's quota. A run that hits a limit pauses the account until the reset time. After that time,
 * one run, the probe, tests the quota. Then the account is open again, or is paused for longer. After a refused login,
 * the pause lasts until a person resumes the account.
 */
import type { Account } from '../account.ts'
import { isPaused } from '../gates/admission.ts'
import type { BoardSettings } from '../board.ts'
import type { EventDraft } from '../event.ts'
import { rateLimitEnd, namedReset } from './retry.ts'
import type { Run } from '../run.ts'
import type { Outcome } from '../vocabulary.ts'

export const freshAccount = (name: string, now: number): Account => ({
  name,
  pauseCause: null,
  pausedUntil: null,
  pausedBy: null,
  pauseReason: null,
  strikes: 0,
  reopenedAt: null,
  probeRunId: null,
  updatedAt: now,
})

export interface Signal {
  /** The reset time that the provider named. Null means that the provider named no time. */
  readonly until: number | null
  readonly reason: string | null
  readonly by: string
}

/** Pauses the account after another rate limit. The end of an existing pause never moves to an earlier time. */
export function strike(account: Account, { until, reason, by }: Signal, settings: BoardSettings, now: number): Account {
  const strikes = account.strikes + 1
  const pausedUntil = Math.max(rateLimitEnd(strikes, until, settings, now), account.pausedUntil ?? 0)
  const paused = { pauseCause: 'quota', pausedUntil, pausedBy: by, pauseReason: reason } as const
  return { ...account, ...paused, strikes, probeRunId: null, updatedAt: now }
}

/**
 * Pauses the account because the provider refuses the login. A person must log in again, or pay, and then resume the
 * account.
 */
const pauseForLogin = (account: Account, reason: string | null, now: number): Account => ({
  ...account,
  pauseCause: 'auth',
  pausedUntil: null,
  pausedBy: 'muster:auth',
  pauseReason: reason,
  probeRunId: null,
  updatedAt: now,
})

export const reopened = ({ name }: Account, now: number): Account => ({ ...freshAccount(name, now), reopenedAt: now })

export const pausedEvent = ({ name, pausedUntil, pauseReason }: Account): EventDraft => ({
  kind: 'paused',
  taskId: null,
  data: { kind: 'account', name, reason: pauseReason, until: pausedUntil },
})

export const resumedEvent = ({ name }: Account): EventDraft => ({
  kind: 'resumed',
  taskId: null,
  data: { kind: 'account', name },
})

/** The outcomes which prove that the provider answered a request of this account. */
const ANSWERED: readonly Outcome[] = [
  'completed',
  'blocked',
  'review_requested',
  'changes_requested',
  'checks_failed',
  'protocol_violation',
  'timed_out',
]

export interface AccountRunEnd {
  readonly outcome: Outcome
  readonly retryAt: number | null
  /** The reason why the provider refused the login. Null means that the provider accepted the login. */
  readonly authFault: string | null
  readonly settings: BoardSettings
  readonly now: number
}

/** The account after one of its runs ended, and the events to write. Null means that the account does not change. */
export function accountAfter(
  account: Account,
  run: Run,
  { outcome, retryAt, authFault, settings, now }: AccountRunEnd,
): { readonly row: Account; readonly events: readonly EventDraft[] } | null {
  const isProbe = account.probeRunId === run.id
  if (authFault !== null) {
    if (account.reopenedAt !== null && run.startedAt < account.reopenedAt) return null
    const row = pauseForLogin(account, authFault, now)
    return { row, events: account.pauseCause === 'auth' ? [] : [pausedEvent(row)] }
  }
  if (outcome === 'rate_limited') {
    if (!isProbe && isKnown(account, run, { retryAt, now })) return null
    // Several runs that hit the same limit count once, even if the provider names a later reset time to some of them.
    const met = isPaused(account, now) ? { ...account, strikes: Math.max(0, account.strikes - 1) } : account
    const row = strike(met, { until: retryAt, reason: null, by: 'muster:quota' }, settings, now)
    return { row, events: [pausedEvent(row)] }
  }
  if (!isProbe) return null
  // A probe proves nothing about the quota if a person ended it or the provider did not answer. The next run tries
  // again.
  if (run.intent !== null || !ANSWERED.includes(outcome))
    return { row: { ...account, probeRunId: null, updatedAt: now }, events: [] }
  return { row: reopened(account, now), events: [resumedEvent(account)] }
}

/**
 * Whether this rate limit changes nothing: the account was reopened after the run started, or the account is already
 * paused for long enough.
 */
function isKnown(account: Account, run: Run, { retryAt, now }: { retryAt: number | null; now: number }): boolean {
  if (account.reopenedAt !== null && run.startedAt < account.reopenedAt) return true
  if (!isPaused(account, now)) return false
  return account.pausedUntil === null || (namedReset(retryAt, now) ?? 0) <= account.pausedUntil
}
