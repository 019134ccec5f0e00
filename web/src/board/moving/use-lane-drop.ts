/** Lets cards be dropped on a column or on its rail. */
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/utils/combine'
import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'
import type { LaneName } from '../lanes.ts'
import { drag, dragOver } from './drag-state.ts'
import type { LanePlan } from './lane-plan.ts'

const isOpen = (plan: LanePlan | undefined): boolean => plan !== undefined && (plan.moves.length > 0 || plan.isHome)

export function useLaneDrop(
  ref: RefObject<HTMLElement | null>,
  lane: LaneName,
  scrolls?: () => HTMLElement | null,
): void {
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const list = scrolls?.() ?? null
    return combine(
      dropTargetForElements({
        element,
        canDrop: () => isOpen(drag.get()?.plans.get(lane)),
        getData: () => ({ lane }),
      }),
      list === null ? () => {} : autoScrollForElements({ element: list }),
    )
  }, [ref, lane, scrolls])
}

/** Returns the effect of a drop of the dragged cards on the lane. Null means that no card is dragged. */
export const useLanePlan = (lane: LaneName): LanePlan | null =>
  useSyncExternalStore(
    drag.follow,
    useCallback(() => drag.get()?.plans.get(lane) ?? null, [lane]),
  )

export const useIsHeldOver = (lane: LaneName): boolean =>
  useSyncExternalStore(
    dragOver.follow,
    useCallback(() => dragOver.get()?.lane === lane, [lane]),
  )
