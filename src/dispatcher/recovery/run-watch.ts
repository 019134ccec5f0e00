/**
 * What the dispatchers of a machine have observed about its runs. Times are monotonic times since boot, so neither a
 * clock change nor sleep makes a live supervisor look dead. Each dispatcher stores its observations for the next one.
 * So separate passes recover the same runs as a dispatcher that keeps running.
 */
import * as z from 'zod'
import { leaseExpired } from '../../core/limits/lease.ts'
import type { RunId } from '../../core/ids.ts'
import type { Run } from '../../core/run.ts'
import { ClockWatch } from '../../util/monotonic.ts'
import type { ProcessExit } from '../../processes/spawn.ts'
import type { Termination } from '../../supervisor/termination.ts'
import { findLaterLeader, leaderSchema, recordLeader, recordRefusal } from '../leadership/leader-history.ts'
import type { PastLeader } from '../leadership/leader-history.ts'

/** The times at which each state of a run was first seen. Null means that the run is not in that state. */
const watchedSchema = z.object({
  since: z.number(),
  leaseUntil: z.number().nullable(),
  renewedAt: z.number(),
  lapsedSince: z.number().nullable(),
  intentSince: z.number().nullable(),
  terminatingSince: z.number().nullable(),
})
type Watched = Readonly<z.infer<typeof watchedSchema>>

/**
 * The observations of one boot. The monotonic clock restarts with each boot, so observations of earlier boots are
 * ignored.
 */
const bootSchema = z.object({
  bootId: z.string(),
  clock: z.number().nullable(),
  trustedFrom: z.number().nullable(),
  runs: z.record(z.string(), watchedSchema),
  reported: z.array(z.string()),
  /**
   * The runs that are alive but unknown to the store, with the times at which they were first seen. This is null before
   * the first search.
   */
  strays: z.record(z.string(), z.number()).nullable().default({}),
})
type Boot = z.infer<typeof bootSchema>

/**
 * The stored observations. The latest boot comes first. If two machines have the same id, their passes may alternate.
 * Each machine keeps the observations of the other, so that both notice when a lease is not renewed.
 */
const memorySchema = z.object({
  version: z.literal(2),
  boots: z.array(bootSchema),
  leaders: z.array(leaderSchema).default([]),
})
const KEPT_BOOTS = 2

export interface Limits {
  /** The length of a lease on the run's board. */
  readonly leaseMs: number
  /** How long a supervisor may ignore a person's command or a time limit. */
  readonly takeOverMs: number
}

export interface Observation {
  /** The time by the store's clock. */
  readonly now: number
  /** The monotonic time just before the store was read. */
  readonly at: number
  /**
   * The monotonic time after the store was read, because reading may take long. A newly seen state counts from this
   * time.
   */
  readonly seenAt: number
  readonly doubtMs: number
  /** Whether this dispatcher has renewed its own lease in time. */
  readonly isCurrent: boolean
}

export class RunWatch {
  readonly #bootId: string
  readonly #others: readonly Boot[]
  readonly #clock: ClockWatch
  readonly #runs: Map<string, Watched>
  readonly #reported: Set<string>
  /** The supervisors that this process started and that have exited. */
  readonly #exits = new Map<string, ProcessExit>()
  /** The runs whose supervisors this process started. */
  readonly #started = new Set<string>()
  /** The runs whose supervisors this process could not start, with the reason. */
  readonly #unstarted = new Map<string, string>()
  readonly #own: Omit<PastLeader, 'refused'>
  #leaders: readonly PastLeader[]
  #isRefused = false
  #unknownRuns: ReadonlyMap<string, number> | null
  #trustedFrom: number

  /**
   * `memory` has the observations of an earlier dispatcher; a memory that is not valid is ignored. `own` describes this
   * dispatcher.
   */
  constructor(bootId: string, memory: string | null = null, own: Partial<Omit<PastLeader, 'refused'>> = {}) {
    const { boots, leaders } = readMemory(memory)
    this.#leaders = leaders
    this.#own = {
      system: own.system ?? bootId,
      hostname: own.hostname ?? null,
      pid: own.pid ?? process.pid,
    }
    const known = boots.find((one) => one.bootId === bootId) ?? null
    this.#bootId = bootId
    this.#others = boots.filter((one) => one !== known)
    this.#clock = new ClockWatch({ difference: known?.clock ?? null })
    this.#runs = new Map(Object.entries(known?.runs ?? {}))
    this.#reported = new Set(known?.reported)
    const strays = known === null ? {} : known.strays
    this.#unknownRuns = memory === null || strays === null ? null : new Map(Object.entries(strays))
    this.#trustedFrom = known?.trustedFrom ?? -Infinity
  }

  /** Returns the observations as text for the next dispatcher of this machine. */
  toMemory(): string {
    const own: Boot = {
      bootId: this.#bootId,
      clock: this.#clock.difference,
      trustedFrom: Number.isFinite(this.#trustedFrom) ? this.#trustedFrom : null,
      runs: Object.fromEntries(this.#runs),
      reported: [...this.#reported],
      strays: this.#unknownRuns === null ? null : Object.fromEntries(this.#unknownRuns),
    }
    const memory: z.infer<typeof memorySchema> = {
      version: 2,
      boots: [own, ...this.#others].slice(0, KEPT_BOOTS),
      leaders: [...(this.#isRefused ? this.#leaders : recordLeader(this.#leaders, this.#own))],
    }
    return JSON.stringify(memory)
  }

  /**
   * A live machine with the same id that was active after this machine. Null means that this machine may become active.
   */
  laterLeader(): PastLeader | null {
    return findLaterLeader(this.#leaders, this.#own.system)
  }

  /** Records that this dispatcher was refused, because another machine with the same id leads. */
  noteRefusal(): void {
    this.#isRefused = true
    this.#leaders = recordRefusal(this.#leaders, this.#own.system)
  }

  /**
   * Records the state of each run. Returns whether the store's clock can be trusted for deadlines. If this dispatcher
   * cannot write (`isCurrent` is false), supervisors may also be unable to renew their leases. In that case, the
   * observations start again.
   */
  observe(runs: readonly Run[], { now, at, seenAt, doubtMs, isCurrent }: Observation): boolean {
    if (this.#clock.hasJumped(now, at)) this.#trustedFrom = at + doubtMs
    if (!isCurrent) this.#runs.clear()
    const trusted = at >= this.#trustedFrom
    const open = new Set<string>(runs.map(({ id }) => id))
    const isOpen = (id: string): boolean => open.has(id)
    for (const known of [this.#runs, this.#reported, this.#exits, this.#started, this.#unstarted])
      for (const id of known.keys()) if (!isOpen(id)) known.delete(id)
    for (const run of runs) this.#runs.set(run.id, watched(run, this.#runs.get(run.id), { now, seenAt, trusted }))
    return trusted
  }

  /** The reason why a live supervisor counts as hung. Null means that the supervisor does not count as hung. */
  hangReason(run: Run, { now, at }: { now: number; at: number }, { leaseMs, takeOverMs }: Limits): Termination | null {
    const seen = this.#runs.get(run.id)
    if (seen === undefined) return null
    const since = (moment: number | null): number => (moment === null ? -Infinity : at - moment)
    // If the clock was set back, the lease may seem to be valid for hours. The second condition covers this case.
    if (since(seen.lapsedSince) >= leaseMs || since(seen.renewedAt) >= 2 * leaseMs) return 'interrupted'
    // Ending the agent takes time. So the supervisor counts as hung only if it has also not renewed its lease for half
    // a lease.
    if (run.terminatingAt !== null)
      return since(seen.terminatingSince) >= takeOverMs && since(seen.renewedAt) >= leaseMs / 2 ? 'interrupted' : null
    // A supervisor that renewed its lease after the person's command has received the command. It may still be running
    // checks.
    const isKnown = seen.intentSince !== null && seen.renewedAt > seen.intentSince
    if (!isKnown && since(seen.intentSince) >= takeOverMs) return 'intent'
    const { maxRuntimeMs, startedAt } = run
    if (maxRuntimeMs === null) return null
    const lateMs = maxRuntimeMs + takeOverMs
    return now - startedAt >= lateMs && since(seen.since) >= lateMs ? 'timed_out' : null
  }

  /** Whether this dispatcher has seen no renewal for the length of the lease, by the monotonic clock. */
  isUnrenewed({ id }: Run, at: number, leaseMs: number): boolean {
    const seen = this.#runs.get(id)
    return seen !== undefined && at - seen.renewedAt >= leaseMs
  }

  /**
   * Whether a run has been watched for `ms`. This replaces the run's own deadlines, which are hours late if the clock
   * was set back.
   */
  wasWatchedFor({ id }: Run, at: number, ms: number): boolean {
    const seen = this.#runs.get(id)
    return seen !== undefined && at - seen.since >= ms
  }

  /** The runs on which a person's command was first seen at `seenAt`. */
  newIntents(runs: readonly Run[], seenAt: number): readonly RunId[] {
    return runs.flatMap(({ id }) => (this.#runs.get(id)?.intentSince === seenAt ? [id] : []))
  }

  /**
   * Returns true at the first call for a run. So a run that cannot be ended is reported once, even if its pids change.
   */
  isFirstReport(run: RunId): boolean {
    const isNew = !this.#reported.has(run)
    this.#reported.add(run)
    return isNew
  }

  /**
   * Whether to search for runs that are unknown to the store. The search is needed if this dispatcher has not searched
   * in this store yet, or if the last search found such runs.
   */
  mayHaveUnknownRuns(): boolean {
    return this.#unknownRuns?.size !== 0
  }

  /** Whether the last search found unknown runs. */
  hasUnknownRuns(): boolean {
    return this.#unknownRuns !== null && this.#unknownRuns.size > 0
  }

  /** The time at which an unknown run was first seen. If the run was not seen before, this is `at`. */
  unknownSince(run: RunId, at: number): number {
    return this.#unknownRuns?.get(run) ?? at
  }

  keepUnknownRuns(runs: ReadonlyMap<string, number>): void {
    this.#unknownRuns = runs
  }

  /** Records that a supervisor that this process started has exited. */
  noteExit(run: RunId, exit: ProcessExit): void {
    this.#exits.set(run, exit)
  }

  exitOf({ id }: Run): ProcessExit | null {
    return this.#exits.get(id) ?? null
  }

  /** Records that this process is about to start the supervisor of a run. */
  noteStarted(run: RunId): void {
    this.#started.add(run)
  }

  /** Whether this process started the supervisor of a run. False if the reply to the claim was lost. */
  wasStarted({ id }: Run): boolean {
    return this.#started.has(id)
  }

  /** Records that this process claimed a run but could not start its supervisor. */
  noteStartFault(run: RunId, why: string): void {
    this.#unstarted.set(run, why)
  }

  startFaultOf({ id }: Run): string | null {
    return this.#unstarted.get(id) ?? null
  }
}

type Memory = Pick<z.infer<typeof memorySchema>, 'boots' | 'leaders'>

/** Parses stored observations. If they are missing or not valid, the result is empty. */
function readMemory(memory: string | null): Memory {
  const empty: Memory = { boots: [], leaders: [] }
  if (memory === null) return empty
  try {
    const read = memorySchema.safeParse(JSON.parse(memory))
    return read.success ? read.data : empty
  } catch {
    return empty
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
