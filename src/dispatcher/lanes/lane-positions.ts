/** Remembers where the next pass continues in long lanes, so that each pass of a running dispatcher is short. */
import type { Lane, LanePlace } from '../../storage/store.ts'

export class LanePositions {
  /** Whether the last pass left free slots and unread cards. If so, the next pass should not wait for the sweep. */
  unfinished = false
  /** When the first lane that is outside its active hours opens; null if there is none. */
  opensAt: number | null = null
  readonly #places = new Map<string, LanePlace>()

  /** Where to continue in a lane after its head, which was read up to `read`. */
  continueAfter(lane: Lane, read: LanePlace): LanePlace {
    const remembered = this.#places.get(keyOf(lane))
    return remembered !== undefined && isBehind(remembered, read) ? remembered : read
  }

  /** `place` is null if the whole lane was read. The next pass then starts at its head. */
  save(lane: Lane, place: LanePlace | null): void {
    if (place === null) this.#places.delete(keyOf(lane))
    else this.#places.set(keyOf(lane), { rank: place.rank, id: place.id })
  }
}

const keyOf = ({ board, agent, phase }: Lane): string => JSON.stringify([board, agent, phase])

const isBehind = (place: LanePlace, other: LanePlace): boolean =>
  place.rank > other.rank || (place.rank === other.rank && place.id > other.id)
