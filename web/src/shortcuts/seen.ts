/** Every shortcut that was registered since the page was loaded. The settings list them. */
import { makeValue } from '../app-state/value.ts'
import { languageValue } from '../i18n/language.ts'
import type { Language } from '../i18n/language.ts'
import type { ShortcutGroup } from './group-shortcuts.ts'
import type { Shortcut } from './registry.ts'

interface Seen {
  readonly shortcut: Shortcut
  /** The language of the shortcut names. */
  readonly language: Language
}

const idOf = ({ shortcut: { group, keys }, language }: Seen): string => `${language} ${group} ${keys}`

export const seenShortcuts = makeValue<readonly Seen[]>([])

export function noteSeen(given: readonly Shortcut[]): void {
  const language = languageValue.get()
  const before = seenShortcuts.get()
  const known = new Set(before.map(idOf))
  const added = given.map((shortcut) => ({ shortcut, language })).filter((one) => !known.has(idOf(one)))
  if (added.length > 0) seenShortcuts.set([...before, ...added])
}

/** Groups the shortcuts by screen, because the same keys can do different things on different screens. */
export function groupSeen(seen: readonly Seen[], language: Language): readonly ShortcutGroup[] {
  const shown = seen.filter((one) => one.language === language).map(({ shortcut }) => shortcut)
  return [...new Set(shown.map(({ group }) => group))].map((name) => ({
    name,
    shortcuts: shown.filter(({ group }) => group === name),
  }))
}
