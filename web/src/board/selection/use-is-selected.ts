import { useCallback, useSyncExternalStore } from 'react'
import { selection } from './selection.ts'

/** Whether a card is selected. When this changes, only the component of this card renders again. */
export function useIsSelected(id: string): boolean {
  return useSyncExternalStore(
    selection.follow,
    useCallback(() => selection.get().ids.has(id), [id]),
  )
}
