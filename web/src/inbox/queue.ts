/** Decides which item of the list is the current item. */

interface Named {
  readonly id: string
}

/**
 * Returns the item that the URL names. If it is gone, returns the item at its former `place`, so that the list does not
 * jump.
 */
export function currentOf<Item extends Named>(items: readonly Item[], id: string | null, place: number): Item | null {
  const found = items.find((item) => item.id === id)
  return found ?? items[Math.min(place, items.length - 1)] ?? null
}

/** Returns the previous or the next item. At the end of the list, returns the same item. */
export function stepFrom<Item extends Named>(items: readonly Item[], id: string | null, step: 1 | -1): Item | null {
  const at = items.findIndex((item) => item.id === id)
  return at < 0 ? (items[0] ?? null) : (items[at + step] ?? items[at] ?? null)
}

/**
 * Returns the item that becomes current after some items are finished: the next remaining item, or the last one before
 * them.
 */
export function nextAfter<Item extends Named>(items: readonly Item[], done: readonly string[]): Item | null {
  const at = items.findIndex(({ id }) => done.includes(id))
  const stays = ({ id }: Named): boolean => !done.includes(id)
  return items.slice(Math.max(0, at)).find(stays) ?? items.slice(0, Math.max(0, at)).findLast(stays) ?? null
}
