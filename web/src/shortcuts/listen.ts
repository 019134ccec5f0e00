/** The only listener for key presses. */
import { chordOf } from './key-names.ts'
import { findShortcut, usableShortcuts } from './registry.ts'
import type { KeyState } from './registry.ts'

const TEXT_INPUTS = /^(text|search|email|url|number|password|date|datetime-local|time)$/

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  return target instanceof HTMLInputElement && TEXT_INPUTS.test(target.type)
}

/** Whether a menu or a list has the focus. It handles letters and arrow keys itself. */
const isInMenu = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role=menu], [role=listbox], [role=combobox]') !== null

/** Browsers send this key code while an input method composes a character. */
const COMPOSING = 229

export function listenForKeys(): () => void {
  let state: KeyState = { before: null, at: 0 }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || event.keyCode === COMPOSING || isInMenu(event.target)) return
    if (/^(Shift|Control|Alt|Meta)$/.test(event.key)) return
    const known = usableShortcuts()
    const inField = isField(event.target)
    const found = findShortcut(chordOf(event), { known, state, now: performance.now(), inField })
    state = found.state
    if (found.shortcut === null) return
    event.preventDefault()
    found.shortcut.onPress()
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}
