/**
 * What a dispatcher has seen of the runs of its machine since it leads, in its own running time: so neither a clock
 * that is set nor a machine that sleeps makes a living supervisor look dead.
 */
import { leaseExpired } from '../core/lease.ts'
import type { RunId } from '../core/ids.ts'
import type { Run } from '../core/run.ts'
import { ClockWatch } from '../util/clock-watch.ts'
import type { Termination } from '../workers/termination.ts'

/** When each thing about a run was seen first; null while it is not so. */
interface Watched {
  readonly since: number
  readonly leaseUntil: number | null
  readonly renewedAt: number
  readonly lapsedSince: number | null
  readonly intentSince: number | null
  readonly terminatingSince: number | null
}

export interface Limits {
  /** Of the run's board. */
  readonly leaseMs: number
  /** How long a supervisor may leave undone what was due. */
  readonly takeOverMs: number
}

export interface Look {
  /** By the store's clock. */
  readonly now: number
  /** In running time, before the store was asked: what has lasted until then has. */
  readonly at: number
  /** And when it had answered, which may be long after: what is seen for the first time has not lasted before. */
  readonly seenAt: number
  readonly doubtMs: number
  /** Whether the lead was renewed within its lease. */
  readonly isCurrent: boolean
}

export class Vigil {
  readonly #clock = new ClockWatch()
  readonly #runs = new Map<RunId, Watched>()
  readonly #told = new Set<RunId>()
  #trustedFrom = -Infinity

  /**
   * Notes how things stand; whether the store's clock may be asked about deadlines. While we cannot write ourselves
   * (`isCurrent` false), what supervisors leave undone says nothing of them.
   */
  look(runs: readonly Run[], { now, at, seenAt, doubtMs, isCurrent }: Look): boolean {
    if (this.#clock.hasJumped(now, at)) this.#trustedFrom = at + doubtMs
    if (!isCurrent) this.#runs.clear()
    const trusted = at >= this.#trustedFrom
    const open = new Set(runs.map(({ id }) => id))
    for (const id of this.#runs.keys()) if (!open.has(id)) this.#forget(id)
    for (const run of runs) this.#runs.set(run.id, watched(run, this.#runs.get(run.id), { now, seenAt, trusted }))
    return trusted
  }

  /** Why the supervisor of a run, alive as it is, must be taken for hung; null when it need not. */
  hungBy(run: Run, { now, at }: { now: number; at: number }, { leaseMs, takeOverMs }: Limits): Termination | null {
    const seen = this.#runs.get(run.id)
    if (seen === undefined) return null
    const since = (moment: number | null): number => (moment === null ? -Infinity : at - moment)
    // The second for a clock that was set back: by its word the lease would hold for hours.
    if (since(seen.lapsedSince) >= leaseMs || since(seen.renewedAt) >= 2 * leaseMs) return 'interrupted'
    // It is at it, unless it has not even renewed its lease for half of it.
    if (run.terminatingAt !== null)
      return since(seen.terminatingSince) >= takeOverMs && since(seen.renewedAt) >= leaseMs / 2 ? 'interrupted' : null
    // One that has renewed since knows of it, and may be about checks that take their time.
    const heeded = seen.intentSince !== null && seen.renewedAt > seen.intentSince
    if (!heeded && since(seen.intentSince) >= takeOverMs) return 'intent'
    const { maxRuntimeMs, startedAt } = run
    if (maxRuntimeMs === null) return null
    const lateMs = maxRuntimeMs + takeOverMs
    return now - startedAt >= lateMs && since(seen.since) >= lateMs ? 'timed_out' : null
  }

  /** Whether a lease has not been renewed for all its length while we looked, whatever a server's clock says of it. */
  isUnheard({ id }: Run, at: number, leaseMs: number): boolean {
    const seen = this.#runs.get(id)
    return seen !== undefined && at - seen.renewedAt >= leaseMs
  }

  /** Whether nobody registered in the time there is for it: by a clock that was set back, it would last for hours. */
  missedStart({ id, identity, startedAt, startDeadlineAt }: Run, at: number): boolean {
    const seen = this.#runs.get(id)
    return (
      seen !== undefined &&
      identity === null &&
      startDeadlineAt !== null &&
      at - seen.since >= startDeadlineAt - startedAt
    )
  }

  /** Runs on which a person's word was seen for the first time at this moment. */
  newlyAsked(seenAt: number): readonly RunId[] {
    return [...this.#runs].flatMap(([id, { intentSince }]) => (intentSince === seenAt ? [id] : []))
  }

  /** Whether it is news that a run cannot be ended: what lasts is told once, whatever comes and goes among the pids. */
  isNews(run: RunId): boolean {
    const isNew = !this.#told.has(run)
    this.#told.add(run)
    return isNew
  }

  #forget(id: RunId): void {
    this.#runs.delete(id)
    this.#told.delete(id)
  }
}

function watched(
  run: Run,
  before: Watched | undefined,
  { now, seenAt, trusted }: { now: number; seenAt: number; trusted: boolean },
): Watched {
  const isSame = before !== undefined && before.leaseUntil === run.leaseUntil
  const stillSo = (holds: boolean, since: number | null | undefined): number | null =>
    holds ? (since ?? seenAt) : null
  return {
    since: before?.since ?? seenAt,
    leaseUntil: run.leaseUntil,
    renewedAt: isSame ? before.renewedAt : seenAt,
    lapsedSince: stillSo(trusted && leaseExpired(run, now), isSame ? before.lapsedSince : null),
    intentSince: stillSo(run.intent !== null, before?.intentSince),
    terminatingSince: stillSo(run.terminatingAt !== null, before?.terminatingSince),
  }
}
