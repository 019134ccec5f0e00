/** Records the cards that a pass started or deferred, and the lanes in which it starts no more cards. */
import type { Gate, ReachedCap, Reason } from '../../core/reasons/reason.ts'
import type { TaskId } from '../../core/ids.ts'
import { LANE_HEAD } from './lanes.ts'
import type { Candidate, Page, StaffedLane } from './lanes.ts'
import type { CappedCard, Deferral, DispatchReport, StartedRun } from '../report.ts'

export type Launched = Pick<DispatchReport, 'started' | 'deferred' | 'capped' | 'unassigned' | 'unknownAgent'>

/**
 * The gates that are the same for every card of a lane. If one of these gates is closed for a card, the whole lane
 * waits.
 */
const LANE_WIDE: ReadonlySet<Gate> = new Set(['cap', 'hours', 'paused', 'account_paused', 'board_archived'])

/**
 * The number of refused claims after which a lane waits for the next pass, because each refused claim costs a
 * transaction. This number is larger than the number of first cards, because each pass starts with the first cards and
 * must get past them.
 */
const REFUSALS = 2 * LANE_HEAD

/** The reason why a card did not start. The error of a refused claim has the same form. */
export interface Refusal {
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

export interface PassLimits {
  /** The number of open runs on this machine, and the maximum number of such runs. */
  readonly used: number
  readonly cap: number
  /** The maximum number of runs that this pass may start. Null means that only the other limits apply. */
  readonly max: number | null
  /**
   * Whether this is a single pass. A single pass tries every card, because no later pass continues where it ends.
   */
  readonly alone: boolean
}

/** The key of a directory. It contains the board, because some boards let cards share a directory and others do not. */
const keyOf = ({ task: { board, workspace } }: Candidate): string => `${board} ${workspace.path ?? ''}`

type Cap = Pick<CappedCard, 'cap' | 'used' | 'limit'>

const cappedCard = ({ task: { id }, agent, lane }: Candidate, cap: ReachedCap | Cap): CappedCard => ({
  id,
  agent: agent.name,
  phase: lane.lane.phase,
  ...cap,
})

export class PassProgress {
  superseded = false
  readonly #limits: PassLimits
  readonly #started: StartedRun[] = []
  readonly #unassigned: TaskId[] = []
  readonly #unknownAgent: DispatchReport['unknownAgent'] = []
  readonly #capped = new Map<TaskId, CappedCard>()
  readonly #deferred = new Map<TaskId, Deferral['reason']>()
  readonly #closed = new Map<StaffedLane, Reason>()
  readonly #refused = new Map<StaffedLane, number>()
  /** The directories that a running card uses, by board and path. Other cards in these directories are not tried. */
  readonly #busy = new Map<string, Deferral['reason']>()

  constructor(limits: PassLimits) {
    this.#limits = limits
  }

  get free(): number {
    const { used, cap, max } = this.#limits
    return Math.min(cap - used, max ?? Infinity) - this.#started.length
  }

  isOpen(lane: StaffedLane): boolean {
    return !this.isClosed(lane) && !this.gaveUp(lane)
  }

  isClosed(lane: StaffedLane): boolean {
    return this.#closed.has(lane)
  }

  /** Whether too many claims of this lane were refused in this pass. */
  gaveUp(lane: StaffedLane): boolean {
    return !this.#limits.alone && (this.#refused.get(lane) ?? 0) >= REFUSALS
  }

  note({ deferred, unassigned, unknownAgent }: Omit<Page, 'candidates' | 'next'>): void {
    for (const { id, reason } of deferred) this.#deferred.set(id, reason)
    this.#unassigned.push(...unassigned)
    this.#unknownAgent.push(...unknownAgent)
  }

  /** Whether to claim the card. If the card is not claimed, the reason is recorded. */
  admits(candidate: Candidate): boolean {
    const closed = this.#closed.get(candidate.lane)
    const busy = candidate.task.workspace.kind === 'dir' ? this.#busy.get(keyOf(candidate)) : undefined
    if (closed !== undefined) this.#wait(candidate, closed)
    else if (this.free <= 0) this.#capped.set(candidate.task.id, cappedCard(candidate, this.#reached()))
    else if (busy !== undefined) this.#deferred.set(candidate.task.id, busy)
    else return this.isOpen(candidate.lane)
    return false
  }

  record(candidate: Candidate, outcome: StartedRun | Refusal): void {
    const { task, lane } = candidate
    if (!('code' in outcome)) {
      this.#started.push(outcome)
      return
    }
    if (outcome.code === 'claim_lost') return
    this.superseded = outcome.code === 'dispatcher_superseded'
    const reason = outcome.details['reason'] as Reason | undefined
    if (reason !== undefined && LANE_WIDE.has(reason.gate)) {
      this.#closed.set(lane, reason)
      this.#wait(candidate, reason)
      return
    }
    const why = reason ?? outcome.message
    if (outcome.code === 'directory_busy') this.#busy.set(keyOf(candidate), why)
    this.#refused.set(lane, (this.#refused.get(lane) ?? 0) + 1)
    this.#deferred.set(task.id, why)
  }

  #wait(candidate: Candidate, reason: Reason): void {
    const { id } = candidate.task
    if (reason.code === 'cap_reached') this.#capped.set(id, cappedCard(candidate, reason.params))
    else this.#deferred.set(id, reason)
  }

  /** The limit that is reached: the limit of the machine or the limit of this pass. */
  #reached(): Cap {
    const { used, cap, max } = this.#limits
    const started = this.#started.length
    if (used + started >= cap) return { cap: 'machine', used: used + started, limit: cap }
    return { cap: 'pass', used: started, limit: max ?? 0 }
  }

  launched(): Launched {
    return {
      started: this.#started,
      deferred: [...this.#deferred].map(([id, reason]) => ({ id, reason })),
      capped: [...this.#capped.values()],
      unassigned: this.#unassigned,
      unknownAgent: this.#unknownAgent,
    }
  }
}
