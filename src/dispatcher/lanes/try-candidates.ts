/**
 * The order in which a pass tries cards: by rank, of all lanes together. A lane whose first cards cannot start is read
 * on before a card of another lane has its turn, or that lane would starve beside one that is never empty. A long-lived
 * dispatcher goes only so far in one pass and remembers where it stopped, so that a pass stays short and no card is
 * hidden behind others that cannot start.
 */
import type { DispatchContext } from '../dispatch-context.ts'
import { LaneQueue } from './lane-queue.ts'
import type { Candidate, StaffedLane } from './lanes.ts'
import type { StartedRun } from '../report.ts'
import type { Refusal, PassProgress } from './pass-progress.ts'

export interface TryOptions {
  readonly progress: PassProgress
  readonly start: (candidate: Candidate) => Promise<StartedRun | Refusal>
  /** False ends the walk at once. */
  readonly goesOn: () => boolean
}

export async function tryCandidates(
  context: DispatchContext,
  lanes: readonly StaffedLane[],
  steps: TryOptions,
): Promise<void> {
  const { progress, start, goesOn } = steps
  const queues = lanes.map((lane) => new LaneQueue(context, lane))
  for (const head of await Promise.all(queues.map((queue) => queue.readHead()))) progress.note(head)
  for (let next = await foremost(queues, steps); next !== null; next = await foremost(queues, steps)) {
    if (!goesOn()) return
    const { queue, candidate } = next
    queue.take({ judged: progress.free > 0 && progress.isOpen(queue.lane) })
    if (progress.admits(candidate)) progress.record(candidate, await start(candidate))
  }
  keepPlaces(context, queues, progress)
}

/** The queue whose first card comes next; null when there is none. */
async function foremost(
  queues: readonly LaneQueue[],
  steps: TryOptions,
): Promise<{ queue: LaneQueue; candidate: Candidate } | null> {
  let found: { queue: LaneQueue; candidate: Candidate } | null = null
  for (const queue of queues) {
    const candidate = await firstOf(queue, steps)
    if (candidate !== null && (found === null || comesBefore(candidate, found.candidate))) found = { queue, candidate }
  }
  return found
}

async function firstOf(queue: LaneQueue, { progress, goesOn }: TryOptions): Promise<Candidate | null> {
  while (queue.first === null && queue.hasMore && progress.free > 0 && progress.isOpen(queue.lane) && goesOn())
    progress.note(await queue.readOn())
  return queue.first
}

const comesBefore = ({ task: a }: Candidate, { task: b }: Candidate): boolean =>
  a.rank < b.rank || (a.rank === b.rank && a.id < b.id)

function keepPlaces({ lanePositions }: DispatchContext, queues: readonly LaneQueue[], progress: PassProgress): void {
  if (lanePositions === null) return
  const isMore = queues.map((queue) => queue.leave(lanePositions, { gaveUp: progress.gaveUp(queue.lane) }))
  lanePositions.unfinished =
    progress.free > 0 && queues.some(({ lane }, at) => isMore[at] === true && !progress.isClosed(lane))
}
