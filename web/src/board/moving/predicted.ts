/**
 * Shows moved cards where core predicts them, until the server answers. The functions are pure; only the value itself
 * has state.
 */
import type { Status } from '../../../../src/core/vocabulary.ts'
import type { BoardCard } from '../../api/queries.ts'
import { makeValue } from '../../app-state/value.ts'
import type { Lane } from '../lanes.ts'
import { laneOf } from '../lanes.ts'

/** A position in a column, beside another card. */
export interface Place {
  readonly anchor: string
  readonly side: 'above' | 'below'
}

/** The predicted position of one card. `to: null`: the card disappears. `place: null`: the card keeps its rank. */
export interface Prediction {
  readonly to: Status | null
  readonly place: Place | null
}

export type Predictions = ReadonlyMap<string, Prediction>

export const predictions = makeValue<Predictions>(new Map())

export const addPredictions = (added: Predictions): void => predictions.set(new Map([...predictions.get(), ...added]))

export function removePredictions(ids: Iterable<string>): void {
  const left = new Map(predictions.get())
  for (const id of ids) left.delete(id)
  predictions.set(left)
}

const isBefore = (one: BoardCard, other: BoardCard): boolean =>
  one.rank < other.rank || (one.rank === other.rank && one.id < other.id)

function inserted(cards: readonly BoardCard[], card: BoardCard, place: Place | null): readonly BoardCard[] {
  const anchor = place === null ? -1 : cards.findIndex(({ id }) => id === place.anchor)
  const byRank = cards.findIndex((other) => other.status === card.status && isBefore(card, other))
  const at = anchor >= 0 ? anchor + (place?.side === 'below' ? 1 : 0) : byRank < 0 ? cards.length : byRank
  return [...cards.slice(0, at), card, ...cards.slice(at)]
}

/** Returns the lanes with the predicted cards in their new positions. All other lanes stay the same objects. */
export function withPredictions(lanes: readonly Lane[], predicted: Predictions): readonly Lane[] {
  if (predicted.size === 0) return lanes
  const moved = lanes.flatMap(({ cards }) => cards.filter(({ id }) => predicted.has(id)))
  if (moved.length === 0) return lanes
  const ids = new Set(moved.map(({ id }) => id))
  return lanes.map((lane) => {
    const rest = lane.cards.filter(({ id }) => !ids.has(id))
    let { cards, count }: { cards: readonly BoardCard[]; count: number } = {
      cards: rest,
      count: lane.count - (lane.cards.length - rest.length),
    }
    for (const card of moved) {
      const { to, place } = predicted.get(card.id) ?? { to: null, place: null }
      if (to === null || laneOf(to) !== lane.name) continue
      cards = inserted(cards, card.status === to ? card : { ...card, status: to }, place)
      count += 1
    }
    return cards.length === lane.cards.length && rest.length === lane.cards.length ? lane : { ...lane, cards, count }
  })
}
