/**
 * The states of an account's quota:
 *   open → paused until its reset (a run hit the limit) → tried by one run, the probe → open, or paused for longer
 * An authentication failure or a person pauses it until a person resumes it.
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
  /** When the quota resets, if the provider named a time. */
  readonly until: number | null
  readonly reason: string | null
  readonly by: string
}

/** Pauses the account after one more rate limit. A pause never gets shorter. */
export function strike(account: Account, { until, reason, by }: Signal, settings: BoardSettings, now: number): Account {
  const strikes = account.strikes + 1
  const pausedUntil = Math.max(rateLimitEnd(strikes, until, settings, now), account.pausedUntil ?? 0)
  const paused = { pauseCause: 'quota', pausedUntil, pausedBy: by, pauseReason: reason } as const
  return { ...account, ...paused, strikes, probeRunId: null, updatedAt: now }
}

/** The provider refuses the login: a person must log in again, or pay, and resume the account. */
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

/** Outcomes which prove that the provider answers requests of this account. */
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
  /** Why the provider refused the login; null if it did not. */
  readonly authFault: string | null
  readonly settings: BoardSettings
  readonly now: number
}

/** The account after one of its runs ended, with the events to write; null if nothing changes. */
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
    // If several runs hit the same limit, it counts once, even if one of the runs gets a later reset time.
    const met = isPaused(account, now) ? { ...account, strikes: Math.max(0, account.strikes - 1) } : account
    const row = strike(met, { until: retryAt, reason: null, by: 'muster:quota' }, settings, now)
    return { row, events: [pausedEvent(row)] }
  }
  if (!isProbe) return null
  // A probe that a person ended, or that got no answer, proves nothing about the quota. The next run tries again.
  if (run.intent !== null || !ANSWERED.includes(outcome))
    return { row: { ...account, probeRunId: null, updatedAt: now }, events: [] }
  return { row: reopened(account, now), events: [resumedEvent(account)] }
}

/**
 * Whether the account already takes this rate limit into account: the run started before the last reopening, or the
 * current pause lasts long enough.
 */
function isKnown(account: Account, run: Run, { retryAt, now }: { retryAt: number | null; now: number }): boolean {
  if (account.reopenedAt !== null && run.startedAt < account.reopenedAt) return true
  if (!isPaused(account, now)) return false
  return account.pausedUntil === null || (namedReset(retryAt, now) ?? 0) <= account.pausedUntil
}
