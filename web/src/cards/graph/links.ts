/** Decides which links can be added, and which card an arrow key reaches. */
import type { Place } from './layout.ts'
import type { LinkEnds } from './link-ends.ts'

export const linkId = ({ parent, child }: LinkEnds): string => JSON.stringify([parent, child])

/** Returns why a link cannot be added. Null means that the visible links allow it; only the server knows all links. */
export function linkFault(links: readonly LinkEnds[], { parent, child }: LinkEnds): 'same' | 'exists' | 'cycle' | null {
  if (parent === child) return 'same'
  if (links.some((link) => link.parent === parent && link.child === child)) return 'exists'
  const below = new Set([child])
  for (const id of below) for (const link of links) if (link.parent === id) below.add(link.child)
  return below.has(parent) ? 'cycle' : null
}

/** Returns the nearest card in the direction of an arrow key. Null means that there is none. */
export function neighbourOf(places: ReadonlyMap<string, Place>, from: string, key: string): string | null {
  const start = places.get(from)
  if (start === undefined) return null
  let nearest: { readonly id: string; readonly distance: number } | null = null
  for (const [id, { x, y }] of places) {
    const [right, down] = [x - start.x, y - start.y]
    const [along, across] = AXES[key]?.(right, down) ?? [0, 0]
    if (id === from || along <= 0) continue
    // A card straight ahead is preferred to a nearer card that is far to the side.
    const distance = along + 2 * Math.abs(across)
    if (nearest === null || distance < nearest.distance) nearest = { id, distance }
  }
  return nearest?.id ?? null
}

type Axes = (right: number, down: number) => readonly [along: number, across: number]

const AXES: Readonly<Record<string, Axes>> = {
  ArrowRight: (right, down) => [right, down],
  ArrowLeft: (right, down) => [-right, down],
  ArrowDown: (right, down) => [down, right],
  ArrowUp: (right, down) => [-down, right],
}
