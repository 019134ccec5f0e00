/** Puts members into the text of an object and takes them out, with nothing else of the text moving. */
import { endOfLine } from './config-format.ts'
import { behindComment, isSpace, skipTrivia } from './json-tree.ts'
import type { JsonDialect, Member, ObjectNode } from './json-tree.ts'

export interface Sheet {
  readonly text: string
  readonly dialect: JsonDialect
  readonly root: ObjectNode
}

export function insertMember(sheet: Sheet, object: ObjectNode, name: string, value: unknown): string {
  const last = object.members.at(-1)
  return last === undefined ? fill(sheet, object, name, value) : append(sheet, object, last, [name, value])
}

export function replaceValue(sheet: Sheet, { start, value: old }: Member, value: unknown): string {
  const { text } = sheet
  return text.slice(0, old.start) + printed(sheet, value, indentAt(text, start)) + text.slice(old.end)
}

export function removeMember({ text, dialect }: Sheet, { members, start, end }: ObjectNode, member: Member): string {
  const at = members.indexOf(member)
  const before = members[at - 1]
  const behind = skipTrivia(text, member.value.end, dialect)
  const hasComma = text[behind] === ','
  const to = hasComma ? behind + 1 : member.value.end
  // The only one, and nobody wrote anything beside it.
  if (members.length === 1 && isEmpty(text, start + 1, member.start) && isEmpty(text, to, end - 1))
    return text.slice(0, start + 1) + text.slice(end - 1)
  const cut = cutOut(text, member.start, to)
  if (before === undefined || hasComma) return cut
  // It was the last: the comma before it goes as well.
  const comma = skipTrivia(text, before.value.end, dialect)
  return cut.slice(0, comma) + cut.slice(comma + 1)
}

/** Behind the last member, and behind what is said of it on its line. */
function append(sheet: Sheet, object: ObjectNode, last: Member, [name, value]: readonly [string, unknown]): string {
  const { text, dialect } = sheet
  const end = last.value.end
  const next = skipTrivia(text, end, dialect)
  const comma = text[next] === ',' ? text.slice(end, next + 1) : null
  const tail = comma === null ? end : next + 1
  const own = text.slice(object.start, object.end)
  if (!own.includes('\n')) {
    const space = /[:,] /.test(own) ? ' ' : ''
    const member = `${JSON.stringify(name)}:${space}${onOneLine(value, space)}`
    return `${text.slice(0, end)}${comma ?? ','}${space}${member}${comma === null ? '' : ','}${text.slice(tail)}`
  }
  const rest = restOfLine(text, tail, dialect)
  const first = object.members[0] ?? last
  const indent = startsLine(text, last.start)
    ? indentAt(text, last.start)
    : startsLine(text, first.start)
      ? indentAt(text, first.start)
      : indentAt(text, object.start) + unitOf(sheet)
  const member = `${JSON.stringify(name)}: ${printed(sheet, value, indent)}`
  return `${text.slice(0, end)}${comma ?? ','}${text.slice(tail, rest)}${endOfLine(text)}${indent}${member}${comma === null ? '' : ','}${text.slice(rest)}`
}

/** Into an empty object, behind the comments that may stand in it. */
function fill(sheet: Sheet, { start, end }: ObjectNode, name: string, value: unknown): string {
  const { text } = sheet
  const said = text.slice(start + 1, behindWord(text, end - 1))
  if (isInline(sheet) && said === '')
    return `${text.slice(0, start + 1)}${JSON.stringify(name)}:${printed(sheet, value, '')}${text.slice(end - 1)}`
  const eol = endOfLine(text)
  const outer = indentAt(text, start)
  const indent = outer + unitOf(sheet)
  const member = `${JSON.stringify(name)}: ${printed(sheet, value, indent)}`
  return `${text.slice(0, start + 1)}${said}${eol}${indent}${member}${eol}${outer}${text.slice(end - 1)}`
}

/** As the rest of the document is written: on one line, or with its indentation. */
function printed(sheet: Sheet, value: unknown, indent: string): string {
  if (isInline(sheet)) return JSON.stringify(value)
  return JSON.stringify(value, null, unitOf(sheet)).replaceAll('\n', endOfLine(sheet.text) + indent)
}

/** Every line end of what is printed is between two values: those within texts are escaped. */
const onOneLine = (value: unknown, space: string): string =>
  space === '' ? JSON.stringify(value) : JSON.stringify(value, null, 1).replaceAll(/\n */g, space)

const isInline = ({ text, root }: Sheet): boolean =>
  root.members.length > 0 && !text.slice(root.start, root.end).includes('\n')

function unitOf({ text, root }: Sheet): string {
  const [first] = root.members
  const unit = first !== undefined && startsLine(text, first.start) ? indentAt(text, first.start) : ''
  return unit === '' ? '  ' : unit
}

/** Out of the text, with its line; whoever shares the line with it keeps theirs. */
function cutOut(text: string, start: number, end: number): string {
  const before = text.slice(0, behindWord(text, start))
  const rest = text.slice(end)
  const ownsRest = /^[ \t]*(?:\r?\n|$)/.test(rest)
  if (ownsRest || !text.slice(before.length, start).includes('\n')) return before + rest
  return text.slice(0, start) + rest.replace(/^[ \t]+/, '')
}

/** Behind the comments that stand behind something on its line. */
function restOfLine(text: string, from: number, { comments }: JsonDialect): number {
  let end = from
  for (let at = from; ;) {
    while (text[at] === ' ' || text[at] === '\t') at += 1
    const behind = comments ? behindComment(text, at) : null
    if (behind === null || text.slice(at, behind).includes('\n')) return end
    at = behind
    end = behind
  }
}

/** Where the white space before a place begins. */
function behindWord(text: string, at: number): number {
  let from = at
  while (isSpace(text[from - 1])) from -= 1
  return from
}

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1

const indentAt = (text: string, at: number): string => /^[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? ''

const startsLine = (text: string, at: number): boolean =>
  text.slice(lineStart(text, at), at).trim() === '' && lineStart(text, at) > 0

function isEmpty(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (!isSpace(text[at])) return false
  return true
}
