/** TOML as a list of statements that know where in the text they stand. */
import { TextFault, found } from './text-fault.ts'

export interface Statement {
  readonly kind: 'table' | 'tables' | 'pair'
  /** From the root: a pair's own name stands behind that of its table. */
  readonly path: readonly string[]
  readonly start: number
  /** Behind its last character; a comment on its line is not its own. */
  readonly end: number
  /** Of a pair. What is neither text, list, table, number nor truth value is given as it stands there. */
  readonly value: unknown
}

const BARE = /[A-Za-z0-9_-]+/y
const WORD = /[A-Za-z0-9+\-_.:]+(?: \d\d:[0-9:.]+(?:Z|[+-]\d\d:\d\d)?)?/y
const NUMBER = /^[+-]?(?:\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?(?:[eE][+-]?\d+(?:_\d+)*)?|inf|nan)$/
const OTHER = /^(?:0x[0-9a-fA-F_]+|0o[0-7_]+|0b[01_]+|\d{4}-\d\d-\d\d(?:[Tt ].+)?|\d\d:\d\d.*)$/
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\u001b',
  '"': '"',
  '\\': '\\',
}
const HEX = '(?<hex>u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2})'
const ESCAPE = new RegExp(`\\\\(?:${HEX}|(?<letter>.?))`, 'gs')
/**
 * In a multi-line string a backslash at the end of a line removes the white space up to the next text. Escapes are read
 * in the same pass: the second backslash of `\\` does not continue a line.
 */
const LONG_ESCAPE = new RegExp(`\\\\(?:(?<continuation>[ \\t]*\\r?\\n(?:[ \\t]|\\r?\\n)*)|${HEX}|(?<letter>.?))`, 'gs')

export const parseToml = (text: string): readonly Statement[] => new Reader(text).statements()

class Reader {
  readonly #text: string
  /** Names that are taken: a second one of a kind is a fault in TOML. */
  readonly #taken = new Set<string>()
  #table: readonly string[] = []
  /** Tells one table of a list from the next. */
  #scope = ''
  #at: number

  constructor(text: string) {
    this.#text = text
    this.#at = text.startsWith('\ufeff') ? 1 : 0
  }

  statements(): readonly Statement[] {
    const all: Statement[] = []
    for (this.#skipLines(); this.#at < this.#text.length; this.#skipLines()) {
      all.push(this.#here === '[' ? this.#header() : this.#pair())
      this.#endLine()
    }
    return all
  }

  get #here(): string | undefined {
    return this.#text[this.#at]
  }

  #fault(expected: string): TextFault {
    return new TextFault(this.#text, this.#at, `${expected}, found ${found(this.#text, this.#at)}`)
  }

  #skipSpaces(): void {
    while (this.#here === ' ' || this.#here === '\t') this.#at += 1
  }

  #skipComment(): void {
    if (this.#here !== '#') return
    const length = this.#text.slice(this.#at).search(/\r?\n/)
    this.#at = length === -1 ? this.#text.length : this.#at + length
  }

  /** White space, comments and empty lines. */
  #skipLines(): void {
    for (;;) {
      this.#skipSpaces()
      this.#skipComment()
      if (this.#here === '\n') this.#at += 1
      else if (this.#text.startsWith('\r\n', this.#at)) this.#at += 2
      else return
    }
  }

  #endLine(): void {
    this.#skipSpaces()
    this.#skipComment()
    if (this.#at < this.#text.length && this.#here !== '\n' && !this.#text.startsWith('\r\n', this.#at))
      throw this.#fault('expected the end of the line')
  }

  #take(expected: string): void {
    if (!this.#text.startsWith(expected, this.#at)) throw this.#fault(`expected ${expected}`)
    this.#at += expected.length
  }

  #header(): Statement {
    const start = this.#at
    const isList = this.#text.startsWith('[[', start)
    this.#at += isList ? 2 : 1
    const path = this.#name()
    this.#take(isList ? ']]' : ']')
    this.#table = path
    if (isList) this.#scope = `${this.#scope}+`
    else this.#claim(['[', ...path], start)
    return { kind: isList ? 'tables' : 'table', path, start, end: this.#at, value: null }
  }

  #pair(): Statement {
    const start = this.#at
    const path = [...this.#table, ...this.#name()]
    this.#take('=')
    this.#skipSpaces()
    const value = this.#value()
    this.#claim(path, start)
    return { kind: 'pair', path, start, end: this.#at, value }
  }

  #claim(path: readonly string[], start: number): void {
    const name = JSON.stringify([this.#scope, path])
    if (this.#taken.has(name)) throw new TextFault(this.#text, start, `${path.join('.')} stands here a second time`)
    this.#taken.add(name)
  }

  /** `a."b c".d`, with the white space around it. */
  #name(): readonly string[] {
    const parts: string[] = []
    do {
      if (parts.length > 0) this.#at += 1
      this.#skipSpaces()
      parts.push(this.#part())
      this.#skipSpaces()
    } while (this.#here === '.')
    return parts
  }

  #part(): string {
    if (this.#here === '"') return this.#basic()
    if (this.#here === "'") return this.#literal()
    return this.#match(BARE) ?? this.#refuse('expected a name')
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const [match = null] = pattern.exec(this.#text) ?? []
    this.#at += match?.length ?? 0
    return match
  }

  #refuse(expected: string): never {
    throw this.#fault(expected)
  }

  #value(): unknown {
    if (this.#text.startsWith('"""', this.#at)) return this.#long('"""')
    if (this.#text.startsWith("'''", this.#at)) return this.#long("'''")
    switch (this.#here) {
      case '"':
        return this.#basic()
      case "'":
        return this.#literal()
      case '[':
        return this.#list()
      case '{':
        return this.#inlineTable()
      default:
        return this.#scalar()
    }
  }

  #scalar(): unknown {
    const start = this.#at
    const word = this.#match(WORD)
    if (word === 'true' || word === 'false') return word === 'true'
    if (word !== null && NUMBER.test(word)) return Number(word.replaceAll('_', ''))
    if (word !== null && OTHER.test(word)) return word
    this.#at = start
    return this.#refuse('expected a value')
  }

  #list(): readonly unknown[] {
    const items: unknown[] = []
    this.#at += 1
    for (this.#skipLines(); this.#here !== ']'; this.#skipLines()) {
      items.push(this.#value())
      this.#skipLines()
      if (this.#here === ',') this.#at += 1
      else if (this.#here !== ']') throw this.#fault('expected a comma or ]')
    }
    this.#at += 1
    return items
  }

  #inlineTable(): unknown {
    const members: [readonly string[], unknown][] = []
    this.#at += 1
    for (this.#skipLines(); this.#here !== '}'; this.#skipLines()) {
      const name = this.#name()
      this.#take('=')
      this.#skipSpaces()
      members.push([name, this.#value()])
      this.#skipLines()
      if (this.#here === ',') this.#at += 1
      else if (this.#here !== '}') throw this.#fault('expected a comma or }')
    }
    this.#at += 1
    return nested(members)
  }

  #literal(): string {
    const end = this.#text.indexOf("'", this.#at + 1)
    const text = this.#text.slice(this.#at + 1, end)
    if (end === -1 || text.includes('\n')) throw this.#endless()
    this.#at = end + 1
    return text
  }

  #basic(): string {
    let end = this.#at + 1
    while (this.#text[end] !== '"') {
      if (end >= this.#text.length || this.#text[end] === '\n') throw this.#endless()
      end += this.#text[end] === '\\' ? 2 : 1
    }
    const text = this.#unescape(this.#text.slice(this.#at + 1, end))
    this.#at = end + 1
    return text
  }

  #long(quotes: '"""' | "'''"): string {
    let end = this.#at + 3
    while (!this.#text.startsWith(quotes, end)) {
      if (end >= this.#text.length) throw this.#endless()
      end += quotes === '"""' && this.#text[end] === '\\' ? 2 : 1
    }
    // Up to two quotation marks may stand right before the end.
    for (let more = 0; more < 2 && this.#text[end + 3] === quotes[0]; more += 1) end += 1
    const inner = this.#text.slice(this.#at + 3, end).replace(/^\r?\n/, '')
    const text = quotes === '"""' ? this.#unescape(inner, LONG_ESCAPE) : inner
    this.#at = end + 3
    return text
  }

  #endless(): TextFault {
    return new TextFault(this.#text, this.#at, 'the text that begins here has no end')
  }

  #unescape(text: string, escapes: RegExp = ESCAPE): string {
    return text.replace(escapes, (whole: string, ...found: readonly unknown[]) => {
      const { continuation, hex, letter = '' } = found.at(-1) as Readonly<Record<string, string | undefined>>
      if (continuation !== undefined) return ''
      const meant = hex === undefined ? ESCAPES[letter] : codePoint(Number.parseInt(hex.slice(1), 16))
      if (meant === undefined) throw new TextFault(this.#text, this.#at, `${whole} means nothing in TOML`)
      return meant
    })
  }
}

/** Only Unicode scalar values may be escaped: surrogates are not among them. */
const codePoint = (code: number): string | undefined =>
  code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? undefined : String.fromCodePoint(code)

/** Names with their values as one value: `a.b = 1` is `{ a: { b: 1 } }`. */
export function nested(members: readonly (readonly [readonly string[], unknown])[]): unknown {
  const root: Record<string, unknown> = {}
  for (const [path, value] of members) {
    let table = root
    for (const part of path.slice(0, -1)) {
      const inner = table[part]
      const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
      define(table, part, next)
      table = next
    }
    define(table, path.at(-1) ?? '', value)
  }
  return root
}

/** As `__proto__` is a name like any other here. */
const define = (table: object, name: string, value: unknown): unknown =>
  Object.defineProperty(table, name, { value, enumerable: true, configurable: true, writable: true })
