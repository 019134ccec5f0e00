/** How far long lanes were looked at. A long-lived dispatcher keeps them from pass to pass, so that a pass stays short. */
import type { Lane, LanePlace } from '../../storage/store.ts'

export class LanePositions {
  /** The last pass had places left and cards that it did not come to: the next should not wait for the sweep. */
  unfinished = false
  readonly #places = new Map<string, LanePlace>()

  /** Where to go on in a lane of which everything up to `looked` was looked at: never before that. */
  behind(lane: Lane, looked: LanePlace): LanePlace {
    const remembered = this.#places.get(keyOf(lane))
    return remembered !== undefined && isBehind(remembered, looked) ? remembered : looked
  }

  /** Null: the whole lane was looked at, and the next look begins anew. */
  put(lane: Lane, place: LanePlace | null): void {
    if (place === null) this.#places.delete(keyOf(lane))
    else this.#places.set(keyOf(lane), { rank: place.rank, id: place.id })
  }
}

const keyOf = ({ board, agent, phase }: Lane): string => JSON.stringify([board, agent, phase])

const isBehind = (place: LanePlace, other: LanePlace): boolean =>
  place.rank > other.rank || (place.rank === other.rank && place.id > other.id)
