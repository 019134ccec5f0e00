/** Finds which words of a replaced line changed. */
import { diffLists } from '../../../../src/core/diff-lists.ts'

/** A part of a text. The end position is exclusive. */
export type Span = readonly [from: number, to: number]

export interface Changed {
  readonly before: readonly Span[]
  readonly after: readonly Span[]
}

const WORDS = /\w+|\s+|[^\w\s]/gu
/** Longer lines are not compared. */
const LENGTH_MAX = 2_000
/**
 * The minimum share of common text. Lines with less in common count as different lines, where marks would only
 * distract.
 */
const SHARE_MIN = 0.3

export function changedSpans(before: string, after: string): Changed | null {
  if (before.length > LENGTH_MAX || after.length > LENGTH_MAX) return null
  const steps = diffLists(before.match(WORDS) ?? [], after.match(WORDS) ?? [])
  const common = steps.reduce((sum, { sign, item }) => sum + (sign === ' ' ? item.trim().length : 0), 0)
  if (common < SHARE_MIN * Math.max(before.trim().length, after.trim().length)) return null
  const spans = { '-': [] as Span[], '+': [] as Span[] }
  const at = { '-': 0, '+': 0 }
  for (const { sign, item } of steps) {
    if (sign !== ' ') addSpan(spans[sign], at[sign], at[sign] + item.length)
    if (sign !== '+') at['-'] += item.length
    if (sign !== '-') at['+'] += item.length
  }
  return { before: spans['-'], after: spans['+'] }
}

/** Adjacent spans are merged. */
function addSpan(spans: Span[], from: number, to: number): void {
  const last = spans.at(-1)
  if (last !== undefined && last[1] === from) spans[spans.length - 1] = [last[0], to]
  else spans.push([from, to])
}
