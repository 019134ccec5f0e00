/** The bookkeeping of one pass over the lanes: a card is tried once, and a lane no more once it is closed as a whole. */
import type { Gate, Reason } from '../core/admission.ts'
import type { BoardError } from '../core/errors.ts'
import type { TaskId } from '../core/ids.ts'
import type { Candidate, Examined, StaffedLane } from './lanes.ts'
import type { DispatchReport, StartedRun } from './report.ts'

export type Launched = Pick<DispatchReport, 'started' | 'deferred' | 'capped' | 'unassigned'>

/** Gates that are closed for every card of a lane when they are closed for one. */
const LANE_WIDE: ReadonlySet<Gate> = new Set(['cap', 'paused', 'account_paused', 'board_archived'])

/** What one pass has started so far, and what it need not try any more. */
export class Round {
  free: number
  superseded = false
  readonly #started: StartedRun[] = []
  readonly #unassigned: TaskId[] = []
  readonly #capped = new Set<TaskId>()
  readonly #deferred = new Map<TaskId, string>()
  readonly #tried = new Set<TaskId>()
  readonly #closed = new Map<StaffedLane, Pick<Reason, 'gate' | 'message'>>()

  constructor(free: number) {
    this.free = free
  }

  isOpen(lane: StaffedLane): boolean {
    return !this.#closed.has(lane)
  }

  note({ deferred, unassigned }: Examined): void {
    for (const { id, reason } of deferred) this.#deferred.set(id, reason)
    this.#unassigned.push(...unassigned)
  }

  /** Whether a card is worth a claim; if not, it is noted why. */
  admits({ task: { id }, lane }: Candidate): boolean {
    if (this.#tried.has(id)) return false
    const closed = this.#closed.get(lane)
    if (closed !== undefined) this.#wait(id, closed)
    else if (this.free <= 0) this.#capped.add(id)
    else return true
    return false
  }

  record({ task: { id }, lane }: Candidate, outcome: StartedRun | BoardError): void {
    this.#tried.add(id)
    if (!('code' in outcome)) {
      this.#started.push(outcome)
      this.free -= 1
      return
    }
    if (outcome.code === 'claim_lost') return
    this.superseded = outcome.code === 'dispatcher_superseded'
    const reason = outcome.details['reason'] as Reason | undefined
    if (reason !== undefined && LANE_WIDE.has(reason.gate)) {
      this.#closed.set(lane, reason)
      this.#wait(id, reason)
    } else this.#deferred.set(id, outcome.message)
  }

  #wait(id: TaskId, { gate, message }: Pick<Reason, 'gate' | 'message'>): void {
    if (gate === 'cap') this.#capped.add(id)
    else this.#deferred.set(id, message)
  }

  launched(): Launched {
    return {
      started: this.#started,
      deferred: [...this.#deferred].map(([id, reason]) => ({ id, reason })),
      capped: [...this.#capped],
      unassigned: this.#unassigned,
    }
  }
}
