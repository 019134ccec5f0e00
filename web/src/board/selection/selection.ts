/** The selected cards. The rules are pure functions; the value at the end holds the selection. */
import { makeValue } from '../../app-state/value.ts'

export interface Selection {
  readonly ids: ReadonlySet<string>
  /** The card where a range starts. */
  readonly anchor: string | null
}

const NONE: Selection = { ids: new Set(), anchor: null }

export const selection = makeValue<Selection>(NONE)

export const clearSelection = (): void => selection.set(NONE)

export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: id }
}

/**
 * Extends the selection from the anchor to a card of the same column. A card of another column becomes the only
 * selected card.
 */
export function extended({ ids, anchor }: Selection, id: string, column: readonly string[]): Selection {
  const from = anchor === null ? -1 : column.indexOf(anchor)
  const to = column.indexOf(id)
  if (from < 0 || to < 0) return { ids: new Set([...ids, id]), anchor: id }
  return { ids: new Set([...ids, ...column.slice(Math.min(from, to), Math.max(from, to) + 1)]), anchor }
}

/** Removes cards that no longer exist from the selection. If all of them exist, returns the same object. */
export function pruned(before: Selection, known: { readonly has: (id: string) => boolean }): Selection {
  const ids = new Set([...before.ids].filter((id) => known.has(id)))
  return ids.size === before.ids.size ? before : { ids, anchor: before.anchor }
}
