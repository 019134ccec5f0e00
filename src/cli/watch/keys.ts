/**
 * Reads key presses from the text that a terminal sends. An arrow key is a sequence that begins with Escape, and a
 * sequence may arrive in pieces. So an Escape at the end of the text waits until the caller of `flush` reports that
 * nothing follows.
 */
export type KeyName =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'page_up'
  | 'page_down'
  | 'tab'
  | 'back_tab'
  | 'enter'
  | 'escape'
  | 'backspace'
  | 'delete'
  | 'delete_word'
  | 'delete_line'
  | 'interrupt'
  | 'suspend'
  | 'redraw'

export type Key =
  | { readonly kind: 'named'; readonly name: KeyName }
  /** One character that the person typed, such as `j` or `한`. */
  | { readonly kind: 'char'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }

const ESCAPE = '\u001b'
const PASTE_BEGIN = `${ESCAPE}[200~`
const PASTE_END = `${ESCAPE}[201~`

/** The final characters of a sequence, with or without modifiers such as Shift. */
const LETTERS: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  Z: 'back_tab',
}
const NUMBERS: Readonly<Record<string, KeyName>> = {
  1: 'home',
  3: 'delete',
  4: 'end',
  5: 'page_up',
  6: 'page_down',
  7: 'home',
  8: 'end',
}
const CONTROLS: Readonly<Record<string, KeyName>> = {
  '\u0001': 'home',
  '\u0003': 'interrupt',
  '\u0005': 'end',
  '\u0008': 'backspace',
  '\t': 'tab',
  '\u000c': 'redraw',
  '\r': 'enter',
  '\n': 'enter',
  '\u0015': 'delete_line',
  '\u0017': 'delete_word',
  '\u001a': 'suspend',
  '\u007f': 'backspace',
}

// eslint-disable-next-line no-control-regex -- key sequences begin with Escape
const SEQUENCE = /^\u001b(?:\[([\d;]*)([A-Za-z~^$@])|O([A-Z]))/
/** The beginning of a sequence whose end has not arrived yet. */
// eslint-disable-next-line no-control-regex -- key sequences begin with Escape
const UNFINISHED = /^\u001b(?:\[[\d;]*|O)?$/

export class KeyReader {
  #rest = ''

  /** Whether an Escape waits for the rest of its sequence. */
  get isWaiting(): boolean {
    return this.#rest !== '' && !this.#rest.startsWith(PASTE_BEGIN)
  }

  take(text: string): readonly Key[] {
    const keys: Key[] = []
    let rest = this.#rest + text
    while (rest !== '') {
      const found = nextKey(rest)
      if (found === null) break
      if (found.key !== null) keys.push(found.key)
      rest = rest.slice(found.length)
    }
    this.#rest = rest
    return keys
  }

  /** Returns an Escape that waited for the rest of a sequence as the key Escape. */
  flush(): readonly Key[] {
    if (!this.isWaiting) return []
    const rest = this.#rest.slice(1)
    this.#rest = ''
    return [named('escape'), ...this.take(rest)]
  }
}

const named = (name: KeyName): Key => ({ kind: 'named', name })

interface Found {
  /** The key. This is null for a sequence or a control character that has no meaning here. */
  readonly key: Key | null
  readonly length: number
}

/** The key at the beginning of the text. Null means that the end of its sequence has not arrived. */
function nextKey(text: string): Found | null {
  if (text.startsWith(PASTE_BEGIN)) return pasteAt(text)
  if (UNFINISHED.test(text)) return null
  const sequence = SEQUENCE.exec(text)
  if (sequence !== null) return { key: sequenceKey(sequence), length: sequence[0].length }
  if (text.startsWith(ESCAPE)) return { key: named('escape'), length: 1 }
  const character = String.fromCodePoint(text.codePointAt(0) ?? 0)
  const control = CONTROLS[character]
  if (control !== undefined) return { key: named(control), length: 1 }
  return { key: character < ' ' ? null : { kind: 'char', text: character }, length: character.length }
}

function pasteAt(text: string): Found | null {
  const end = text.indexOf(PASTE_END)
  if (end === -1) return null
  const pasted = text.slice(PASTE_BEGIN.length, end)
  return { key: { kind: 'paste', text: pasted }, length: end + PASTE_END.length }
}

function sequenceKey([, numbers = '', final = '', letter = '']: readonly string[]): Key | null {
  const name = final === '~' ? NUMBERS[numbers.split(';')[0] ?? ''] : LETTERS[letter === '' ? final : letter]
  return name === undefined ? null : named(name)
}
