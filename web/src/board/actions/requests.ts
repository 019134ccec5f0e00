/** Requests from cards to open a menu beside the card, or a dialog. All cards share one menu and one dialog. */
import type { BoardCard } from '../../api/queries.ts'
import { makeValue } from '../../app-state/value.ts'
import type { LaneName } from '../lanes.ts'
import type { Place } from '../moving/predicted.ts'
import type { PlannedMove } from '../moving/lane-plan.ts'

export type MenuKind = 'card' | 'move' | 'assign' | 'priority'

export interface MenuRequest {
  readonly kind: MenuKind
  readonly ids: readonly string[]
  /** The rectangle beside which the menu opens. */
  readonly at: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}

export type DialogRequest =
  | {
      readonly kind: 'move'
      readonly lane: LaneName
      readonly moves: readonly PlannedMove[]
      readonly place: Place | null
    }
  | { readonly kind: 'labels' | 'schedule' | 'delete'; readonly cards: readonly BoardCard[] }

export const menuRequest = makeValue<MenuRequest | null>(null)
export const dialogRequest = makeValue<DialogRequest | null>(null)

export const openMenuAt = (element: Element, kind: MenuKind, ids: readonly string[]): void => {
  const { x, y, width, height } = element.getBoundingClientRect()
  menuRequest.set({ kind, ids, at: { x, y, width, height } })
}
