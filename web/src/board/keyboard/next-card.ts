/** Finds the card that gets the focus next. The functions are pure. */
import type { ShownColumn } from './columns.ts'

export type Direction = 'up' | 'down' | 'left' | 'right'

type Columns = readonly Pick<ShownColumn, 'cards'>[]

/**
 * Returns the next card in a direction, or the same card at an edge. If no card has the focus, returns the first card.
 */
export function nextCard(columns: Columns, from: string | null, direction: Direction): string | null {
  const x = from === null ? -1 : columns.findIndex(({ cards }) => cards.includes(from))
  if (from === null || x < 0) return columns.find(({ cards }) => cards.length > 0)?.cards[0] ?? null
  const column = columns[x]?.cards ?? []
  const y = column.indexOf(from)
  if (direction === 'up') return column[y - 1] ?? from
  if (direction === 'down') return column[y + 1] ?? from
  const others = direction === 'left' ? columns.slice(0, x).toReversed() : columns.slice(x + 1)
  const cards = others.find((other) => other.cards.length > 0)?.cards
  return cards === undefined ? from : (cards[Math.min(y, cards.length - 1)] ?? from)
}

/** Returns the card that took the place of a card that left its column. */
export const successorOf = (before: readonly string[], gone: string, now: readonly string[]): string | null => {
  const at = before.indexOf(gone)
  const left = new Set(now)
  return (
    before.slice(at + 1).find((id) => left.has(id)) ??
    before.slice(0, Math.max(at, 0)).findLast((id) => left.has(id)) ??
    null
  )
}
