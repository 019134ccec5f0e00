import { useCallback, useSyncExternalStore } from 'react'
import { selection } from './selection.ts'

/** Whether a card is selected. A change renders only the component of this card again. */
export function useIsSelected(id: string): boolean {
  return useSyncExternalStore(
    selection.follow,
    useCallback(() => selection.get().ids.has(id), [id]),
  )
}
