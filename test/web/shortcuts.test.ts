import { describe, expect, test } from 'vitest'
import { groupShortcuts } from '../../web/src/shortcuts/group-shortcuts.ts'
import { chordOf, keyNames } from '../../web/src/shortcuts/key-names.ts'
import {
  findShortcut,
  newLayer,
  openLayer,
  PAGE_LAYER,
  register,
  usableShortcuts,
} from '../../web/src/shortcuts/registry.ts'
import type { KeyState, Shortcut } from '../../web/src/shortcuts/registry.ts'

const shortcut = (keys: string, more: Partial<Shortcut> = {}): Shortcut => ({
  keys,
  name: `does ${keys}`,
  group: 'Everywhere',
  onPress: () => {},
  ...more,
})
const NONE: KeyState = { before: null, at: 0 }
const KEYS = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }

test('a shortcut with `comesFirst` wins over a later one with the same key', () => {
  const asked = { state: NONE, now: 0, inField: false }
  const [card, board] = [shortcut('a', { name: 'approve' }), shortcut('a', { name: 'answer' })]
  expect(findShortcut('a', { known: [card, board], ...asked }).shortcut).toBe(board)
  const open = { ...card, comesFirst: () => true }
  expect(findShortcut('a', { known: [open, board], ...asked }).shortcut).toBe(open)
})

describe('a pressed key', () => {
  test('a pressed key is named with its modifiers', () => {
    expect(chordOf({ ...KEYS, key: 'K', ctrlKey: true }, false)).toBe('mod+k')
    expect(chordOf({ ...KEYS, key: 'k', metaKey: true }, true)).toBe('mod+k')
    expect(chordOf({ ...KEYS, key: 'A', shiftKey: true }, false)).toBe('shift+a')
  })

  test('a pressed key is named by the character that it types, on every keyboard', () => {
    expect(chordOf({ ...KEYS, key: '?', shiftKey: true }, false)).toBe('?')
  })

  test("a key is shown with the names of the machine's keyboard", () => {
    expect(keyNames('mod+k', true)).toEqual(['⌘K'])
    expect(keyNames('mod+k', false)).toEqual(['Ctrl', 'K'])
    expect(keyNames('g b', false)).toEqual(['G', 'B'])
  })
})

test('keys that the focused element handles are only listed', () => {
  const known = [shortcut('enter', { isElsewhere: true })]
  expect(findShortcut('enter', { known, state: NONE, now: 0, inField: false }).shortcut).toBeNull()
  expect(groupShortcuts(known)[0]?.shortcuts).toHaveLength(1)
})

describe('finding a shortcut', () => {
  const find = (
    chord: string,
    known: readonly Shortcut[],
    how: { state?: KeyState; now?: number; inField?: boolean } = {},
  ) => findShortcut(chord, { known, state: NONE, now: 0, inField: false, ...how })

  test('two keys pressed one after the other complete a shortcut', () => {
    const known = [shortcut('g b')]
    const { shortcut: first, begins, state } = find('g', known, { now: 100 })
    expect([first, begins]).toEqual([null, true])
    expect(find('b', known, { state, now: 500 }).shortcut?.keys).toBe('g b')
  })

  test('a second key that is pressed late does not complete a shortcut', () => {
    const known = [shortcut('g b')]
    const { state } = find('g', known)
    expect(find('b', known, { state, now: 5_000 }).shortcut).toBeNull()
  })

  test('letters in a field are text, but some shortcuts also work in a field', () => {
    const known = [shortcut('c'), shortcut('mod+k', { inFields: true })]
    expect(find('c', known, { inField: true }).shortcut).toBeNull()
    expect(find('mod+k', known, { inField: true }).shortcut?.keys).toBe('mod+k')
  })

  test('the later of two shortcuts with the same keys wins', () => {
    const [page, drawer] = [shortcut('escape'), shortcut('escape', { name: 'Close the card' })]
    expect(find('escape', [page, drawer]).shortcut).toBe(drawer)
    expect(groupShortcuts([page, drawer])).toEqual([{ name: 'Everywhere', shortcuts: [drawer] }])
  })
})

test('while a dialog is open, only the shortcuts of the dialog work', () => {
  const forgetPage = register(PAGE_LAYER, [shortcut('c')])
  const layer = newLayer()
  const close = openLayer(layer)
  const forgetDialog = register(layer, [shortcut('escape')])
  expect(usableShortcuts().map(({ keys }) => keys)).toEqual(['escape'])
  close()
  forgetDialog()
  expect(usableShortcuts().map(({ keys }) => keys)).toEqual(['c'])
  forgetPage()
})
