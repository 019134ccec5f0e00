/**
 * Adds, replaces and removes members of an object in a JSON text, without other changes. The edit functions of
 * jsonc-parser are not used, because they delete comments beside a removed member.
 */
import { createScanner } from 'jsonc-parser'
import { endOfLine } from './config-format.ts'
import type { Member, ObjectNode } from './json-tree.ts'

export interface JsonText {
  readonly text: string
  readonly root: ObjectNode
}

export function insertMember(source: JsonText, object: ObjectNode, name: string, value: unknown): string {
  const last = object.members.at(-1)
  return last === undefined ? fill(source, object, name, value) : append(source, object, last, [name, value])
}

export function replaceValue(source: JsonText, { start, value: old }: Member, value: unknown): string {
  const { text } = source
  return text.slice(0, old.start) + printed(source, value, indentAt(text, start)) + text.slice(old.end)
}

export function removeMember({ text }: JsonText, { members, start, end }: ObjectNode, member: Member): string {
  const at = members.indexOf(member)
  const before = members[at - 1]
  const behind = nextToken(text, member.value.end)
  const hasComma = text[behind] === ','
  const to = hasComma ? behind + 1 : member.value.end
  // If the removed member is the only member and has no comments around it, the object becomes empty.
  if (members.length === 1 && isEmpty(text, start + 1, member.start) && isEmpty(text, to, end - 1))
    return text.slice(0, start + 1) + text.slice(end - 1)
  const cut = cutOut(text, member.start, to)
  if (before === undefined || hasComma) return cut
  // The removed member is the last member, so the comma before it must be removed too.
  const comma = nextToken(text, before.value.end)
  return cut.slice(0, comma) + cut.slice(comma + 1)
}

/** Adds a member after the last member, and after the comments on that line. */
function append(source: JsonText, object: ObjectNode, last: Member, [name, value]: readonly [string, unknown]): string {
  const { text } = source
  const end = last.value.end
  const next = nextToken(text, end)
  const hasComma = text[next] === ','
  const tail = hasComma ? next + 1 : end
  const before = hasComma ? text.slice(0, tail) : `${text.slice(0, end)},`
  const trailing = hasComma ? ',' : ''
  const own = text.slice(object.start, object.end)
  if (!own.includes('\n')) {
    const space = /[:,] /.test(own) ? ' ' : ''
    const member = `${JSON.stringify(name)}:${space}${onOneLine(value, space)}`
    return `${before}${space}${member}${trailing}${text.slice(tail)}`
  }
  const rest = lineCommentsEnd(text, tail)
  const indent = memberIndent(source, object, last)
  const member = `${JSON.stringify(name)}: ${printed(source, value, indent)}`
  return `${before}${text.slice(tail, rest)}${endOfLine(text)}${indent}${member}${trailing}${text.slice(rest)}`
}

function memberIndent(source: JsonText, object: ObjectNode, last: Member): string {
  const { text } = source
  const sample = [last, ...object.members].find(({ start }) => startsLine(text, start))
  return sample === undefined ? indentAt(text, object.start) + unitOf(source) : indentAt(text, sample.start)
}

/** Adds the first member of an object, after the comments in it. */
function fill(source: JsonText, { start, end }: ObjectNode, name: string, value: unknown): string {
  const { text } = source
  const comments = text.slice(start + 1, spaceStart(text, end - 1))
  if (isInline(source) && comments === '')
    return `${text.slice(0, start + 1)}${JSON.stringify(name)}:${printed(source, value, '')}${text.slice(end - 1)}`
  const eol = endOfLine(text)
  const outer = indentAt(text, start)
  const indent = outer + unitOf(source)
  const member = `${JSON.stringify(name)}: ${printed(source, value, indent)}`
  return `${text.slice(0, start + 1)}${comments}${eol}${indent}${member}${eol}${outer}${text.slice(end - 1)}`
}

/** Formats a value in the style of the document, on one line or on indented lines. */
function printed(source: JsonText, value: unknown, indent: string): string {
  if (isInline(source)) return JSON.stringify(value)
  return JSON.stringify(value, null, unitOf(source)).replaceAll('\n', endOfLine(source.text) + indent)
}

/**
 * Formats JSON on one line. Every newline in the text is between two values, because newlines in strings are escaped.
 */
const onOneLine = (value: unknown, space: string): string =>
  space === '' ? JSON.stringify(value) : JSON.stringify(value, null, 1).replaceAll(/\n */g, space)

const isInline = ({ text, root }: JsonText): boolean =>
  root.members.length > 0 && !text.slice(root.start, root.end).includes('\n')

function unitOf({ text, root }: JsonText): string {
  const [first] = root.members
  const unit = first !== undefined && startsLine(text, first.start) ? indentAt(text, first.start) : ''
  return unit === '' ? '  ' : unit
}

/** Removes a range of the text. If the line has no other content, removes the whole line. */
function cutOut(text: string, start: number, end: number): string {
  const before = text.slice(0, spaceStart(text, start))
  const rest = text.slice(end)
  const ownsRest = /^[ \t]*(?:\r?\n|$)/.test(rest)
  if (ownsRest || !text.slice(before.length, start).includes('\n')) return before + rest
  return text.slice(0, start) + rest.replace(/^[ \t]+/, '')
}

/** The position after all comments on the rest of the line. */
function lineCommentsEnd(text: string, from: number): number {
  const comments = /(?:[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\n])*\*\/))*/y
  comments.lastIndex = from
  comments.exec(text)
  return Math.max(from, comments.lastIndex)
}

/** The position of the next token, after white space and comments. */
function nextToken(text: string, from: number): number {
  const scanner = createScanner(text, true)
  scanner.setPosition(from)
  scanner.scan()
  return scanner.getTokenOffset()
}

/** The position at which the white space before the position `at` starts. */
function spaceStart(text: string, at: number): number {
  let from = at
  while (/\s/.test(text[from - 1] ?? '')) from -= 1
  return from
}

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1

const indentAt = (text: string, at: number): string => /^[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? ''

const startsLine = (text: string, at: number): boolean =>
  text.slice(lineStart(text, at), at).trim() === '' && lineStart(text, at) > 0

const isEmpty = (text: string, from: number, to: number): boolean => text.slice(from, to).trim() === ''
