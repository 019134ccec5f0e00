/**
 * A text field of one line. The cursor moves by visible characters, such as `각` or an emoji, and not by code points.
 */
import { oneLine } from '../output/escape.ts'
import { widthOf } from '../render/width.ts'
import type { Key } from './keys.ts'

export interface Field {
  /** The visible characters of the field. */
  readonly characters: readonly string[]
  /** The number of characters before the cursor. */
  readonly cursor: number
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const charactersOf = (text: string): readonly string[] => [...segmenter.segment(text)].map(({ segment }) => segment)

export const fieldWith = (text: string): Field => {
  const characters = charactersOf(text)
  return { characters, cursor: characters.length }
}

export const textOf = ({ characters }: Field): string => characters.join('')

/** Returns the field after a key was pressed. Returns null if the key has no meaning in a field. */
export function editField(field: Field, key: Key): Field | null {
  if (key.kind === 'char') return insert(field, key.text)
  if (key.kind === 'paste') return insert(field, key.text.replace(/\s*[\r\n]+\s*/g, ' '))
  const { characters, cursor } = field
  const last = characters.length
  switch (key.name) {
    case 'left':
      return { characters, cursor: Math.max(0, cursor - 1) }
    case 'right':
      return { characters, cursor: Math.min(last, cursor + 1) }
    case 'home':
      return { characters, cursor: 0 }
    case 'end':
      return { characters, cursor: last }
    case 'backspace':
      return cut(field, Math.max(0, cursor - 1), cursor)
    case 'delete':
      return cut(field, cursor, cursor + 1)
    case 'delete_word':
      return cut(field, wordBefore(field), cursor)
    case 'delete_line':
      return cut(field, 0, cursor)
    default:
      return null
  }
}

/** Inserts a text and merges it with its neighbours, because the parts of one Korean letter may arrive one by one. */
function insert({ characters, cursor }: Field, text: string): Field {
  const before = charactersOf(characters.slice(0, cursor).join('') + text)
  return { characters: [...before, ...characters.slice(cursor)], cursor: before.length }
}

const cut = ({ characters }: Field, from: number, to: number): Field => ({
  characters: [...characters.slice(0, from), ...characters.slice(to)],
  cursor: from,
})

function wordBefore({ characters, cursor }: Field): number {
  let at = cursor
  while (at > 0 && characters[at - 1] === ' ') at -= 1
  while (at > 0 && characters[at - 1] !== ' ') at -= 1
  return at
}

export interface ShownField {
  readonly text: string
  /** The terminal column of the cursor, where an input method shows its letters. */
  readonly column: number
}

/** The part of the field around the cursor that fits into a width. */
export function showField({ characters, cursor }: Field, width: number): ShownField {
  const shown = characters.map(oneLine)
  let first = cursor
  let used = 0
  // One column stays free for the cursor behind the last character.
  while (first > 0 && used + widthOf(shown[first - 1] ?? '') < width) {
    first -= 1
    used += widthOf(shown[first] ?? '')
  }
  let text = shown.slice(first, cursor).join('')
  const column = widthOf(text)
  for (const character of shown.slice(cursor)) {
    if (widthOf(text) + widthOf(character) > width) break
    text += character
  }
  return { text, column }
}
