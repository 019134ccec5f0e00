/** The names of keys. A shortcut is written as `c`, `shift+a` or `mod+k`. `g b` means two keys in sequence. */

const MAC_NAMES: Readonly<Record<string, string>> = { mod: '⌘', shift: '⇧', alt: '⌥', ctrl: '⌃' }
const NAMES: Readonly<Record<string, string>> = { mod: 'Ctrl', shift: 'Shift', alt: 'Alt', ctrl: 'Ctrl' }
const KEY_NAMES: Readonly<Record<string, string>> = {
  enter: '↵',
  escape: 'Esc',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
}

const isMac = (): boolean => /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')

/** Returns the labels of the keys: `mod+k` becomes `⌘K` on a Mac, otherwise `Ctrl K`. */
export function keyNames(keys: string, onMac = isMac()): readonly string[] {
  return keys.split(' ').flatMap((chord) => {
    const names = chord
      .split('+')
      .map((part) => (onMac ? MAC_NAMES : NAMES)[part] ?? KEY_NAMES[part] ?? part.toUpperCase())
    return onMac ? [names.join('')] : names
  })
}

export interface Pressed {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/**
 * Returns the name of a pressed key. Shift is part of the name only for letters, because `?` is `?` on every keyboard.
 */
export function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed, onMac = isMac()): string {
  const name = key.toLowerCase()
  const isLetter = /^[a-z]$/.test(name) || name.length > 1
  const parts = [
    (onMac ? metaKey : ctrlKey) && 'mod',
    (onMac ? ctrlKey : metaKey) && 'ctrl',
    altKey && 'alt',
    shiftKey && isLetter && 'shift',
    name === ' ' ? 'space' : name,
  ]
  return parts.filter((part) => part !== false).join('+')
}
