/** Follows a drag over the board, and moves the cards after a drop. */
import { extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/utils/combine'
import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import type { DropTargetRecord } from '@atlaskit/pragmatic-drag-and-drop/types'
import { useEffect, useRef } from 'react'
import { isLive } from '../../api/live-state.ts'
import { useValue } from '../../app-state/use-value.ts'
import { cardsOf, inBoardOrder, knownCards } from '../actions/known-cards.ts'
import { dismissRefusals } from '../actions/refusals.ts'
import { laneOf } from '../lanes.ts'
import type { LaneName } from '../lanes.ts'
import { selection } from '../selection/selection.ts'
import { drag, dragOf, dragOver, holdOver } from './drag-state.ts'
import type { DragOver } from './drag-state.ts'
import type { Moves } from './use-moves.ts'

/** Returns the innermost card and column under the pointer. */
function overOf(targets: readonly DropTargetRecord[]): DragOver | null {
  const lane = targets.find(({ data }) => data['lane'] !== undefined)?.data['lane'] as LaneName | undefined
  if (lane === undefined) return null
  const card = targets.find(({ data }) => data['card'] !== undefined)
  const edge = card === undefined ? null : extractClosestEdge(card.data)
  if (card === undefined || edge === null) return { lane, place: null }
  return { lane, place: { anchor: String(card.data['card']), side: edge === 'bottom' ? 'below' : 'above' } }
}

export function useDragMonitor(moves: Moves): void {
  const known = useValue(knownCards)
  const latest = useRef(moves)
  useEffect(() => {
    latest.current = moves
  })
  // A live change may affect which moves are legal, so the plans are computed again.
  useEffect(() => {
    const held = drag.get()
    if (held === null) return
    const cards = cardsOf(held.ids)
    if (cards.some((card, at) => card !== held.cards[at])) drag.set(dragOf(cards))
  }, [known])
  useEffect(
    () =>
      combine(
        monitorForElements({
          canMonitor: ({ source }) => source.data['dragged'] !== undefined,
          onDragStart({ source }) {
            const id = String(source.data['dragged'])
            const { ids } = selection.get()
            const cards = ids.has(id) ? inBoardOrder(ids) : cardsOf([id])
            dismissRefusals(cards.map((card) => card.id))
            drag.set(dragOf(cards))
          },
          onDrag: ({ location }) => holdOver(overOf(location.current.dropTargets)),
          onDropTargetChange: ({ location }) => holdOver(overOf(location.current.dropTargets)),
          onDrop({ location }) {
            const held = drag.get()
            const over = overOf(location.current.dropTargets)
            drag.set(null)
            dragOver.set(null)
            if (held === null || over === null || !isLive()) return
            const home = held.cards.every(({ status }) => laneOf(status) === over.lane)
            if (!home) latest.current.moveTo(held.cards, over.lane, over.place)
            else if (over.place !== null) latest.current.reorder(held.cards, over.place)
          },
        }),
        () => {
          drag.set(null)
          dragOver.set(null)
        },
      ),
    [],
  )
}
