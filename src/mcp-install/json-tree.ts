/** JSON as people keep it in files: a tree that knows where in the text everything stands. */
import { TextFault, found } from './text-fault.ts'

/** What a program accepts beyond JSON itself. */
export interface JsonDialect {
  readonly comments: boolean
  readonly trailingCommas: boolean
}

interface Placed {
  readonly start: number
  /** Behind its last character. */
  readonly end: number
}

export interface Member {
  readonly key: string
  readonly start: number
  readonly value: JsonNode
}

export type ObjectNode = Placed & { readonly kind: 'object'; readonly members: readonly Member[] }
export type JsonNode =
  | ObjectNode
  | (Placed & { readonly kind: 'array'; readonly items: readonly JsonNode[] })
  | (Placed & { readonly kind: 'scalar'; readonly raw: string })

const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

export function parseJson(text: string, dialect: JsonDialect): JsonNode {
  const reader = new Reader(text, dialect)
  return reader.document()
}

/** Names last wins, as `JSON.parse` has it. */
export const memberNamed = ({ members }: ObjectNode, key: string): Member | null =>
  members.findLast((member) => member.key === key) ?? null

export function valueOf(node: JsonNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return JSON.parse(node.raw)
    case 'array':
      return node.items.map(valueOf)
    case 'object':
      return Object.fromEntries(node.members.map(({ key, value }) => [key, valueOf(value)]))
  }
}

/** Behind white space and comments. */
export function skipTrivia(text: string, from: number, { comments }: JsonDialect): number {
  let at = from
  for (;;) {
    while (isSpace(text[at])) at += 1
    if (!comments || text[at] !== '/') return at
    const next = behindComment(text, at)
    if (next === null) return at
    at = next
  }
}

/** Behind the comment that begins here; null when none does. */
export function behindComment(text: string, at: number): number | null {
  if (text.startsWith('//', at)) {
    const length = text.slice(at).search(/[\r\n]/)
    return length === -1 ? text.length : at + length
  }
  if (!text.startsWith('/*', at)) return null
  const close = text.indexOf('*/', at + 2)
  if (close === -1) throw new TextFault(text, at, 'the comment that begins here has no end')
  return close + 2
}

export const isSpace = (character: string | undefined): boolean =>
  character === ' ' || character === '\t' || character === '\n' || character === '\r'

class Reader {
  readonly #text: string
  readonly #dialect: JsonDialect
  #at: number

  constructor(text: string, dialect: JsonDialect) {
    this.#text = text
    this.#dialect = dialect
    this.#at = text.startsWith('\ufeff') ? 1 : 0
  }

  document(): JsonNode {
    this.#skip()
    const node = this.#value()
    this.#skip()
    if (this.#at < this.#text.length) throw this.#fault('expected the end of the file')
    return node
  }

  #skip(): void {
    this.#at = skipTrivia(this.#text, this.#at, this.#dialect)
  }

  #fault(expected: string): TextFault {
    return new TextFault(this.#text, this.#at, `${expected}, found ${found(this.#text, this.#at)}`)
  }

  #value(): JsonNode {
    const start = this.#at
    switch (this.#text[start]) {
      case '{': {
        const members = this.#list('}', () => this.#member())
        return { kind: 'object', start, end: this.#at, members }
      }
      case '[': {
        const items = this.#list(']', () => this.#value())
        return { kind: 'array', start, end: this.#at, items }
      }
      case '"':
        return { kind: 'scalar', start, raw: this.#string(), end: this.#at }
      default:
        return { kind: 'scalar', start, raw: this.#word(), end: this.#at }
    }
  }

  #list<Part>(close: '}' | ']', part: () => Part): readonly Part[] {
    const parts: Part[] = []
    this.#at += 1
    this.#skip()
    while (this.#text[this.#at] !== close) {
      parts.push(part())
      this.#skip()
      if (this.#text[this.#at] === close) break
      if (this.#text[this.#at] !== ',') throw this.#fault(`expected a comma or ${close}`)
      this.#at += 1
      this.#skip()
      if (this.#text[this.#at] === close && !this.#dialect.trailingCommas)
        throw this.#fault('expected something after the comma')
    }
    this.#at += 1
    return parts
  }

  #member(): Member {
    const start = this.#at
    if (this.#text[start] !== '"') throw this.#fault('expected a name in double quotes')
    const key = JSON.parse(this.#string()) as string
    this.#skip()
    if (this.#text[this.#at] !== ':') throw this.#fault('expected a colon')
    this.#at += 1
    this.#skip()
    return { key, start, value: this.#value() }
  }

  #string(): string {
    const start = this.#at
    let at = start + 1
    while (this.#text[at] !== '"') {
      if (at >= this.#text.length || this.#text[at] === '\n')
        throw new TextFault(this.#text, start, 'the text that begins here has no end')
      at += this.#text[at] === '\\' ? 2 : 1
    }
    const raw = this.#text.slice(start, at + 1)
    try {
      JSON.parse(raw)
    } catch {
      throw new TextFault(this.#text, start, `${found(this.#text, start)} is no text in JSON`)
    }
    this.#at = at + 1
    return raw
  }

  #word(): string {
    SCALAR.lastIndex = this.#at
    const [raw] = SCALAR.exec(this.#text) ?? []
    if (raw === undefined) throw this.#fault('expected a value')
    this.#at += raw.length
    return raw
  }
}
