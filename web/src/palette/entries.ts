/**
 * Groups the entries of the palette. The functions are pure: they decide which entries match a text, and sort the
 * groups.
 */
import { matchOptions } from '../ui/listbox-keys.ts'
import type { ReactNode } from 'react'

export const GROUPS = ['cards', 'chosen', 'recent', 'actions', 'views', 'boards', 'agents', 'goTo', 'create'] as const
export type GroupName = (typeof GROUPS)[number]

export interface Entry {
  /** Unique in the palette. */
  readonly value: string
  readonly group: GroupName
  readonly label: string
  /** Further words that find the entry. */
  readonly words?: string
  /** A fact at the end of the row. */
  readonly note?: string
  /** The keys that have the same effect without the palette. */
  readonly keys?: string
  readonly icon: ReactNode
  readonly onChoose: () => void
}

export interface EntryGroup {
  readonly name: GroupName
  readonly entries: readonly Entry[]
}

/** The maximum number of entries of each group, so that the groups below stay visible. */
const MOST: Readonly<Record<GroupName, number>> = {
  cards: 12,
  chosen: 40,
  recent: 6,
  actions: 30,
  views: 8,
  boards: 8,
  agents: 8,
  goTo: 14,
  create: 2,
}

/**
 * The groups whose entries are not filtered by the text: the server chose the entries, or the entries use the text
 * itself.
 */
const UNFILTERED: ReadonlySet<GroupName> = new Set(['cards', 'create'])

export function groupEntries(entries: readonly Entry[], typed: string): readonly EntryGroup[] {
  const text = typed.trim()
  return GROUPS.flatMap((name): readonly EntryGroup[] => {
    // Recent cards are shown only without a text, because the search finds them too.
    if (name === 'recent' && text !== '') return []
    const all = entries.filter(({ group }) => group === name)
    const found = UNFILTERED.has(name) ? all : matchOptions(all, text)
    return found.length === 0 ? [] : [{ name, entries: found.slice(0, MOST[name]) }]
  })
}
