/** Quotes text from people and agents, so that a reader can distinguish it from the text of the board. */
import { capped, cut } from '../text.ts'
import { BRIEFING_FIELD_MAX, LINE_MAX } from './caps.ts'

export const hasText = (value: string | null): value is string => value !== null && value.trim() !== ''

export const omitted = (left: number, what: string): string[] =>
  left > 0 ? [`(${left} ${what}${left === 1 ? '' : 's'} left out)`] : []

export const field = (label: string, value: string | null): string[] =>
  hasText(value) ? [`${label}:`, fenced(value, BRIEFING_FIELD_MAX)] : []

export const jsonField = (label: string, value: unknown): string[] =>
  value === null || value === undefined ? [] : [`${label}:`, fenced(JSON.stringify(sorted(value)), BRIEFING_FIELD_MAX)]

/** Sorts the keys, so that equal metadata looks equal. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]))
}

const longestBackticks = (value: string): number => Math.max(0, ...(value.match(/`+/g) ?? []).map((run) => run.length))

/** Quotes a text in a code fence that the text cannot close. */
export function fenced(value: string, max: number): string {
  const shown = capped(value, max)
  const fence = '`'.repeat(Math.max(3, longestBackticks(shown) + 1))
  return `${fence}text\n${shown}\n${fence}`
}

/** Quotes a text within a line. */
export function inline(value: string, max: number = LINE_MAX): string {
  const shown = cutToOneLine(value, max)
  const fence = '`'.repeat(longestBackticks(shown) + 1)
  const pad = shown.startsWith('`') || shown.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${shown}${pad}${fence}`
}

/** Replaces line breaks and control characters with spaces, so that the text stays on one line. */
export function cutToOneLine(value: string, max: number): string {
  // eslint-disable-next-line no-control-regex -- removes control characters
  const flat = value.replaceAll(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
  return flat.length <= max ? flat : `${cut(flat, max)}…`
}
