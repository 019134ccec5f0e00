import type { Shortcut } from './registry.ts'

export interface ShortcutGroup {
  readonly name: string
  readonly shortcuts: readonly Shortcut[]
}

/**
 * Groups the shortcuts for the list. If two shortcuts have the same keys, only the later one works, so only that one is
 * listed.
 */
export function groupShortcuts(known: readonly Shortcut[]): readonly ShortcutGroup[] {
  const working = [...new Map(known.map((shortcut) => [shortcut.keys, shortcut])).values()]
  const names = [...new Set(working.map(({ group }) => group))]
  return names.map((name) => ({ name, shortcuts: working.filter(({ group }) => group === name) }))
}
