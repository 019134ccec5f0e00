/** Makes a card draggable, and lets other cards be dropped on it. */
import { attachClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/utils/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { preserveOffsetOnSource } from '@atlaskit/pragmatic-drag-and-drop/utils/preserve-offset-on-source'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/set-custom-native-drag-preview'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'
import { isLive } from '../../api/live-state.ts'
import { cardsOf, startOrder } from '../actions/known-cards.ts'
import { laneOf } from '../lanes.ts'
import { selection } from '../selection/selection.ts'
import { canReorder } from './lane-plan.ts'
import { drag, dragOver } from './drag-state.ts'
import css from './moving.module.css'

/** The kind of the last pointer. Native dragging is unreliable on touch screens, so a menu moves cards there. */
let lastPointer = 'mouse'
document.addEventListener('pointerdown', ({ pointerType }) => (lastPointer = pointerType), {
  capture: true,
  passive: true,
})

/** Draws the preview under the pointer: a copy of the card, with the number of dragged cards. */
function renderPreview(element: HTMLElement, container: HTMLElement, count: number): void {
  const copy = element.cloneNode(true) as HTMLElement
  copy.style.width = `${element.offsetWidth}px`
  copy.classList.add(css.lifted ?? '')
  delete copy.dataset['card']
  container.append(copy)
  if (count < 2) return
  const badge = document.createElement('span')
  badge.className = css.stack ?? ''
  badge.textContent = String(count)
  copy.append(badge)
}

/** Whether the dragged cards can be inserted beside this card. */
function takes(id: string): boolean {
  const held = drag.get()
  const [card] = cardsOf([id])
  if (held === null || card === undefined || held.ids.has(id) || !startOrder.get() || !canReorder(card)) return false
  const lane = laneOf(card.status)
  return (
    held.cards.some(({ status }) => status === card.status) ||
    (held.plans.get(lane ?? 'done')?.moves ?? []).some(({ to }) => to === card.status)
  )
}

export function useCardDrag(ref: RefObject<HTMLElement | null>, id: string): void {
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    return combine(
      draggable({
        element,
        canDrag: ({ input }) => lastPointer !== 'touch' && isLive() && !input.altKey,
        getInitialData: () => ({ dragged: id }),
        onGenerateDragPreview({ nativeSetDragImage, location }) {
          const { ids } = selection.get()
          setCustomNativeDragPreview({
            nativeSetDragImage,
            getOffset: preserveOffsetOnSource({ element, input: location.current.input }),
            render: ({ container }) => renderPreview(element, container, ids.has(id) ? ids.size : 1),
          })
        },
      }),
      dropTargetForElements({
        element,
        canDrop: () => takes(id),
        getData: ({ input }) => attachClosestEdge({ card: id }, { element, input, allowedEdges: ['top', 'bottom'] }),
      }),
    )
  }, [ref, id])
}

export const useIsDragged = (id: string): boolean =>
  useSyncExternalStore(
    drag.follow,
    useCallback(() => drag.get()?.ids.has(id) === true, [id]),
  )

/** Returns the edge of the card at which the dragged cards would be inserted. */
export const useDropEdge = (id: string): 'above' | 'below' | null =>
  useSyncExternalStore(
    dragOver.follow,
    useCallback(() => {
      const place = dragOver.get()?.place ?? null
      return place?.anchor === id ? place.side : null
    }, [id]),
  )
