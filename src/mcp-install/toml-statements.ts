/** The statements of a TOML file, with their positions. */
import { ParseError, getStaticTOMLValue, parseTOML } from 'toml-eslint-parser'
import type { AST } from 'toml-eslint-parser'
import { TextFault, found } from './text-fault.ts'

export interface TomlStatement {
  readonly kind: 'table' | 'tables' | 'pair'
  /** The path of the statement from the root. The path of a pair starts with the path of its table. */
  readonly path: readonly string[]
  readonly start: number
  /** The position after the last character of the statement. A comment on the same line comes later. */
  readonly end: number
  /** The value, if the statement is a pair. */
  readonly value: unknown
}

export function parseToml(text: string): readonly TomlStatement[] {
  try {
    return statementsOf(text)
  } catch (error) {
    // The parser calls itself for each level of a value, so a deeply nested value overflows its stack.
    if (error instanceof RangeError) throw new TextFault(text, 0, 'a value in it is nested too deeply')
    throw error
  }
}

function statementsOf(text: string): readonly TomlStatement[] {
  return bodyOf(text).flatMap((node) => {
    if (node.type === 'TOMLKeyValue') return [pairOf(node, [])]
    const header = headerOf(text, node)
    return [header, ...node.body.map((pair) => pairOf(pair, header.path))]
  })
}

function bodyOf(text: string): AST.TOMLTopLevelTable['body'] {
  // TOML does not allow a lone carriage return, but the parser accepts it.
  const loneReturn = text.search(/\r(?!\n)/)
  if (loneReturn !== -1) throw new TextFault(text, loneReturn, 'a carriage return without a line feed')
  try {
    return parseTOML(text.replace(/^\ufeff/, ' '), { tomlVersion: '1.1' }).body[0].body
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    throw new TextFault(text, error.index, `${lowerFirst(error.message)}, at ${found(text, error.index)}`)
  }
}

const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1)

function headerOf(text: string, { kind, key, range: [start] }: AST.TOMLTable): TomlStatement {
  const isList = kind === 'array'
  const end = text.indexOf(']', key.range[1]) + (isList ? 2 : 1)
  return { kind: isList ? 'tables' : 'table', path: getStaticTOMLValue(key), start, end, value: null }
}

function pairOf({ key, value, range: [start, end] }: AST.TOMLKeyValue, table: readonly string[]): TomlStatement {
  const path = [...table, ...getStaticTOMLValue(key)]
  return { kind: 'pair', path, start, end, value: getStaticTOMLValue(value) }
}

/** Joins paths and their values into one value: `a.b = 1` becomes `{ a: { b: 1 } }`. */
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

/** Sets a member with `defineProperty`, because an assignment handles the name `__proto__` specially. */
const define = (table: object, name: string, value: unknown): unknown =>
  Object.defineProperty(table, name, { value, enumerable: true, configurable: true, writable: true })
