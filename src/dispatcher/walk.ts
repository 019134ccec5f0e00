/**
 * The order in which a pass tries cards: by rank, of all lanes together. A lane whose first cards cannot start is read
 * on before a card of another lane has its turn, or that lane would starve beside one that is never empty. A long-lived
 * dispatcher goes only so far in one pass and remembers where it stopped, so that a pass stays short and no card is
 * hidden behind others that cannot start.
 */
import type { Dispatching } from './dispatching.ts'
import { LaneQueue } from './lane-queue.ts'
import type { Candidate, StaffedLane } from './lanes.ts'
import type { StartedRun } from './report.ts'
import type { Refusal, Round } from './round.ts'

export interface Walk {
  readonly round: Round
  readonly start: (candidate: Candidate) => Promise<StartedRun | Refusal>
  /** False ends the walk at once. */
  readonly goesOn: () => boolean
}

export async function walk(dispatching: Dispatching, lanes: readonly StaffedLane[], steps: Walk): Promise<void> {
  const { round, start, goesOn } = steps
  const queues = lanes.map((lane) => new LaneQueue(dispatching, lane))
  for (const head of await Promise.all(queues.map((queue) => queue.readHead()))) round.note(head)
  for (let next = await foremost(queues, steps); next !== null; next = await foremost(queues, steps)) {
    if (!goesOn()) return
    const { queue, candidate } = next
    queue.take({ judged: round.free > 0 && round.isOpen(queue.lane) })
    if (round.admits(candidate)) round.record(candidate, await start(candidate))
  }
  keepPlaces(dispatching, queues, round)
}

/** The queue whose first card comes next; null when there is none. */
async function foremost(
  queues: readonly LaneQueue[],
  steps: Walk,
): Promise<{ queue: LaneQueue; candidate: Candidate } | null> {
  let found: { queue: LaneQueue; candidate: Candidate } | null = null
  for (const queue of queues) {
    const candidate = await firstOf(queue, steps)
    if (candidate !== null && (found === null || comesBefore(candidate, found.candidate))) found = { queue, candidate }
  }
  return found
}

async function firstOf(queue: LaneQueue, { round, goesOn }: Walk): Promise<Candidate | null> {
  while (queue.first === null && queue.hasMore && round.free > 0 && round.isOpen(queue.lane) && goesOn())
    round.note(await queue.readOn())
  return queue.first
}

const comesBefore = ({ task: a }: Candidate, { task: b }: Candidate): boolean =>
  a.rank < b.rank || (a.rank === b.rank && a.id < b.id)

function keepPlaces({ bookmarks }: Dispatching, queues: readonly LaneQueue[], round: Round): void {
  if (bookmarks === null) return
  const isMore = queues.map((queue) => queue.leave(bookmarks, { gaveUp: round.gaveUp(queue.lane) }))
  bookmarks.unfinished = round.free > 0 && queues.some(({ lane }, at) => isMore[at] === true && !round.isClosed(lane))
}
