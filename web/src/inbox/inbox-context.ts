import { createContext, useContext } from 'react'
import type { InboxItem } from '../api/queries.ts'

export interface InboxActions {
  readonly items: readonly InboxItem[]
  readonly currentId: string | null
  readonly select: (id: string) => void
  /** Removes finished items from the list and moves on to the next item. */
  readonly leave: (ids: readonly string[]) => void
  /** Moves the focus from a field back to its item. */
  readonly focusItem: (id: string) => void
  /** Moves the focus to the current item. The item is looked up when this is called. */
  readonly focusCurrent: () => void
  /** Whether the details of the current item are in the pane. Otherwise they are below the item. */
  readonly hasPane: boolean
}

export const InboxContext = createContext<InboxActions | null>(null)

export function useInbox(): InboxActions {
  const actions = useContext(InboxContext)
  if (actions === null) throw new Error('items are shown inside of the inbox')
  return actions
}
