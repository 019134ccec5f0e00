/** Remembers where the next pass continues in long lanes, so that each pass of a running dispatcher is short. */
import type { Lane, LanePlace } from '../../storage/store.ts'

export class LanePositions {
  /** Whether the last pass ended with free slots and unread cards. Then the next pass starts soon. */
  unfinished = false
  /** When the first closed lane opens again, because its active hours begin. Null means that no lane is closed. */
  opensAt: number | null = null
  readonly #places = new Map<string, LanePlace>()

  /**
   * The position at which to continue in a lane. The pass has already read the first cards of the lane, up to `read`.
   */
  continueAfter(lane: Lane, read: LanePlace): LanePlace {
    const remembered = this.#places.get(keyOf(lane))
    return remembered !== undefined && isBehind(remembered, read) ? remembered : read
  }

  /** `place` is null if the whole lane was read. The next pass then starts at the beginning of the lane. */
  save(lane: Lane, place: LanePlace | null): void {
    if (place === null) this.#places.delete(keyOf(lane))
    else this.#places.set(keyOf(lane), { rank: place.rank, id: place.id })
  }
}

const keyOf = ({ board, agent, phase }: Lane): string => JSON.stringify([board, agent, phase])

const isBehind = (place: LanePlace, other: LanePlace): boolean =>
  place.rank > other.rank || (place.rank === other.rank && place.id > other.id)
