/**
 * The order in which a pass tries cards: first the heads of all lanes together, by rank; while places are free, further
 * into the lanes whose head could not start. A long-lived dispatcher goes only so far in one pass and remembers where it
 * stopped, so that a pass stays short and no card is hidden behind others that cannot start.
 */
import type { LanePlace } from '../storage/store.ts'
import type { Dispatching } from './dispatching.ts'
import type { Candidate, StaffedLane } from './lanes.ts'
import { HEAD, examine } from './lanes.ts'
import type { StartedRun } from './report.ts'
import type { Refusal, Round } from './round.ts'

const PAGE = 128
const PAGES_PER_PASS = 8

export interface Walk {
  readonly round: Round
  readonly start: (candidate: Candidate) => Promise<StartedRun | Refusal>
  /** False ends the walk at once. */
  readonly goesOn: () => boolean
}

export async function walk(dispatching: Dispatching, lanes: readonly StaffedLane[], steps: Walk): Promise<void> {
  const { round } = steps
  const heads = await Promise.all(
    lanes.map(async (lane) => ({ lane, page: await examine(dispatching, lane, { after: null, limit: HEAD }) })),
  )
  for (const { page } of heads) round.note(page)
  await tryAll(heads.flatMap(({ page }) => page.candidates).toSorted(byRank), steps)
  for (const { lane, page } of heads)
    if (page.next !== null) await walkOn(dispatching, { lane, from: page.next, steps })
}

async function tryAll(candidates: readonly Candidate[], { round, start, goesOn }: Walk): Promise<void> {
  for (const candidate of candidates) {
    if (!goesOn()) return
    if (round.admits(candidate)) round.record(candidate, await start(candidate))
  }
}

/** Behind the head of one lane, page by page. */
async function walkOn(
  dispatching: Dispatching,
  { lane, from, steps }: { lane: StaffedLane; from: LanePlace; steps: Walk },
): Promise<void> {
  const { places } = dispatching
  const key = JSON.stringify(lane.lane)
  const remembered = places?.get(key)
  let after: LanePlace | null = remembered !== undefined && isBehind(remembered, from) ? remembered : from
  const pages = places === null ? Infinity : PAGES_PER_PASS
  for (let page = 0; page < pages && after !== null; page += 1) {
    if (steps.round.free <= 0 || !steps.round.isOpen(lane) || !steps.goesOn()) return
    const found = await examine(dispatching, lane, { after, limit: PAGE })
    steps.round.note(found)
    await tryAll(found.candidates, steps)
    after = found.next
  }
  if (after === null) places?.delete(key)
  else places?.set(key, { rank: after.rank, id: after.id })
}

const isBehind = (place: LanePlace, other: LanePlace): boolean =>
  place.rank > other.rank || (place.rank === other.rank && place.id > other.id)

const byRank = (a: Candidate, b: Candidate): number => a.task.rank - b.task.rank || (a.task.id < b.task.id ? -1 : 1)
