/** Groups the entries of the palette. The functions are pure: they match entries against a text and sort the groups. */
import { matchOptions } from '../ui/listbox-keys.ts'
import type { ReactNode } from 'react'

export const GROUPS = ['cards', 'chosen', 'recent', 'actions', 'views', 'boards', 'agents', 'goTo', 'create'] as const
export type GroupName = (typeof GROUPS)[number]

export interface Entry {
  /** Unique within the palette. */
  readonly value: string
  readonly group: GroupName
  readonly label: string
  /** Further search words for the entry. */
  readonly words?: string
  /** A note at the end of the row. */
  readonly note?: string
  /** The shortcut that does the same. */
  readonly keys?: string
  readonly icon: ReactNode
  readonly onChoose: () => void
}

export interface EntryGroup {
  readonly name: GroupName
  readonly entries: readonly Entry[]
}

/** Each group shows at most this many entries, so that the groups below stay visible. */
const MOST: Readonly<Record<GroupName, number>> = {
  cards: 12,
  chosen: 40,
  recent: 6,
  actions: 30,
  views: 8,
  boards: 8,
  agents: 8,
  goTo: 15,
  create: 2,
}

/** The text does not filter these groups: the server has already searched, or the entries use the text themselves. */
const UNFILTERED: ReadonlySet<GroupName> = new Set(['cards', 'create'])

export function groupEntries(entries: readonly Entry[], typed: string): readonly EntryGroup[] {
  const text = typed.trim()
  return GROUPS.flatMap((name): readonly EntryGroup[] => {
    // Recent cards appear only while the text is empty, because the search also finds them.
    if (name === 'recent' && text !== '') return []
    const all = entries.filter(({ group }) => group === name)
    const found = UNFILTERED.has(name) ? all : matchOptions(all, text)
    return found.length === 0 ? [] : [{ name, entries: found.slice(0, MOST[name]) }]
  })
}
