/** The state of a drag: the dragged cards, the effect of a drop on each lane, and the place under the pointer. */
import { LANES } from '../lanes.ts'
import type { LaneName } from '../lanes.ts'
import type { BoardCard } from '../../api/queries.ts'
import { makeValue } from '../../app-state/value.ts'
import { planMove } from './lane-plan.ts'
import type { LanePlan } from './lane-plan.ts'
import type { Place } from './predicted.ts'

export interface Drag {
  readonly cards: readonly BoardCard[]
  readonly ids: ReadonlySet<string>
  readonly plans: ReadonlyMap<LaneName, LanePlan>
}

export interface DragOver {
  readonly lane: LaneName
  /** Where the cards would be inserted. Null means that the column decides. */
  readonly place: Place | null
}

export const drag = makeValue<Drag | null>(null)
export const dragOver = makeValue<DragOver | null>(null)

export const dragOf = (cards: readonly BoardCard[]): Drag => ({
  cards,
  ids: new Set(cards.map(({ id }) => id)),
  plans: new Map(LANES.map((lane) => [lane, planMove(cards, lane)])),
})

export function holdOver(over: DragOver | null): void {
  const before = dragOver.get()
  const isSame =
    over?.lane === before?.lane &&
    over?.place?.anchor === before?.place?.anchor &&
    over?.place?.side === before?.place?.side
  if (!isSame) dragOver.set(over)
}
