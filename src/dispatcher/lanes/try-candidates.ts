/**
 * Tries cards by rank across all lanes. If the cards that were read from a lane cannot start, the pass reads more cards
 * of that lane before it tries the next card. Otherwise other lanes could keep that lane waiting forever. A dispatcher
 * that keeps running reads a limited number of cards in one pass and saves its position. So passes are short and still
 * reach every card after some time.
 */
import type { DispatchContext } from '../dispatch-context.ts'
import { LaneQueue } from './lane-queue.ts'
import type { Candidate, StaffedLane } from './lanes.ts'
import type { StartedRun } from '../report.ts'
import type { Refusal, PassProgress } from './pass-progress.ts'

export interface TryOptions {
  readonly progress: PassProgress
  readonly start: (candidate: Candidate) => Promise<StartedRun | Refusal>
  /** Whether the pass should continue. If this returns false, the pass ends at once. */
  readonly shouldContinue: () => boolean
}

export async function tryCandidates(
  context: DispatchContext,
  lanes: readonly StaffedLane[],
  steps: TryOptions,
): Promise<void> {
  const { progress, start, shouldContinue } = steps
  const queues = lanes.map((lane) => new LaneQueue(context, lane))
  for (const head of await Promise.all(queues.map((queue) => queue.readHead()))) progress.note(head)
  for (let next = await nextCandidate(queues, steps); next !== null; next = await nextCandidate(queues, steps)) {
    if (!shouldContinue()) return
    const { queue, candidate } = next
    queue.take({ tried: progress.free > 0 && progress.isOpen(queue.lane) })
    if (progress.admits(candidate)) progress.record(candidate, await start(candidate))
  }
  savePositions(context, queues, progress)
}

/** Returns the lane whose first card has the best rank. Null means that no lane has a card left. */
async function nextCandidate(
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

async function firstOf(queue: LaneQueue, { progress, shouldContinue }: TryOptions): Promise<Candidate | null> {
  while (queue.first === null && queue.hasMore && progress.free > 0 && progress.isOpen(queue.lane) && shouldContinue())
    progress.note(await queue.readNextPage())
  return queue.first
}

const comesBefore = ({ task: a }: Candidate, { task: b }: Candidate): boolean =>
  a.rank < b.rank || (a.rank === b.rank && a.id < b.id)

function savePositions({ lanePositions }: DispatchContext, queues: readonly LaneQueue[], progress: PassProgress): void {
  if (lanePositions === null) return
  const isMore = queues.map((queue) => queue.savePosition(lanePositions, { gaveUp: progress.gaveUp(queue.lane) }))
  lanePositions.unfinished =
    progress.free > 0 && queues.some(({ lane }, at) => isMore[at] === true && !progress.isClosed(lane))
}
