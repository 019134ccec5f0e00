/** Parses JSON with the position of every value. */
import { createScanner, getNodeValue, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { Node, ParseError } from 'jsonc-parser'
import { TextFault, found } from './text-fault.ts'

/** The extensions of JSON that a program accepts. */
export interface JsonDialect {
  readonly comments: boolean
  readonly trailingCommas: boolean
}

export interface JsonNode {
  readonly start: number
  /** The position after the last character of the value. */
  readonly end: number
  readonly value: () => unknown
  /** The members of an object. This is null for any other value. */
  readonly members: readonly Member[] | null
}

export interface Member {
  readonly key: string
  readonly start: number
  readonly value: JsonNode
}

export interface ObjectNode extends JsonNode {
  readonly members: readonly Member[]
}

/**
 * The maximum depth of nesting. The parser calls itself for each level, so a much larger depth would overflow its
 * stack. No configuration needs more levels.
 */
const DEPTH_MAX = 500

export function parseJson(text: string, { comments, trailingCommas }: JsonDialect): JsonNode {
  refuseDeepNesting(text)
  const errors: ParseError[] = []
  const options = { disallowComments: !comments, allowTrailingComma: trailingCommas }
  const root = parseTree(text.replace(/^\ufeff/, ' '), errors, options)
  const [first] = errors
  if (first !== undefined) throw new TextFault(text, first.offset, parseErrorText(text, first))
  if (root === undefined) throw new TextFault(text, 0, 'expected a value')
  return toJsonNode(root)
}

function refuseDeepNesting(text: string): void {
  const scanner = createScanner(text, true)
  let depth = 0
  for (let at = 0; at < text.length; at = scanner.getTokenOffset()) {
    scanner.scan()
    const token = text[scanner.getTokenOffset()]
    if (token === '{' || token === '[') depth += 1
    if (token === '}' || token === ']') depth -= 1
    if (depth > DEPTH_MAX)
      throw new TextFault(text, scanner.getTokenOffset(), `it is nested more than ${DEPTH_MAX} levels deep`)
  }
}

/** The member with this name. If the name occurs twice, the last member counts, as in `JSON.parse`. */
export const memberNamed = ({ members }: ObjectNode, key: string): Member | null =>
  members.findLast((member) => member.key === key) ?? null

const FAULTS: Readonly<Record<string, string>> = {
  ColonExpected: 'expected a colon',
  CommaExpected: 'expected a comma',
  CloseBraceExpected: 'expected a comma or }',
  CloseBracketExpected: 'expected a comma or ]',
  EndOfFileExpected: 'expected the end of the file',
  InvalidCommentToken: 'expected no comment',
  PropertyNameExpected: 'expected a name in double quotes',
  UnexpectedEndOfComment: 'this comment has no end',
  UnexpectedEndOfString: 'this string has no end',
  ValueExpected: 'expected a value',
}

function parseErrorText(text: string, { error, offset }: ParseError): string {
  const fault = FAULTS[printParseErrorCode(error)] ?? 'expected valid JSON'
  return fault.startsWith('expected') ? `${fault}, found ${found(text, offset)}` : fault
}

const toJsonNode = (node: Node): JsonNode => ({
  start: node.offset,
  end: node.offset + node.length,
  value: () => structuredClone(getNodeValue(node) as unknown),
  members: node.type === 'object' ? (node.children ?? []).flatMap(toMember) : null,
})

function toMember({ offset, children: [key, value] = [] }: Node): readonly Member[] {
  if (key === undefined || value === undefined) return []
  return [{ key: String(key.value), start: offset, value: toJsonNode(value) }]
}
