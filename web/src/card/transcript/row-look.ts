/** Decides how rows look: which rows start open, and what they are called. */
import type { Row, RowOf } from './row-pages.ts'

/** Which rows are open. `auto` opens rows with failures and rows with changes. */
export type Unfolded = 'auto' | 'all' | 'none'

export const canOpen = (row: Row): boolean =>
  (row.kind === 'call' && (row.input !== null || row.output !== null || row.edit !== null)) ||
  (row.kind === 'changed' && row.edit !== null) ||
  (row.kind === 'event' && detailOf(row) !== null)

export function isOpenAtFirst(row: Row, unfolded: Unfolded): boolean {
  if (unfolded !== 'auto') return unfolded === 'all'
  if (row.kind === 'call') return row.state === 'failed' || (row.edit !== null && row.edit.lines.length > 0)
  return row.kind === 'changed' || (row.kind === 'event' && isCheck(row))
}

/** A failed check. */
const isCheck = ({ event }: RowOf<'event'>): boolean =>
  event.kind === 'verdict_withdrawn' || event.kind === 'checks_failed'

/** Returns the text of a person or a program, if it has several lines. */
export function detailOf({ event }: RowOf<'event'>): string | null {
  const { output, error } = event.data
  const text = typeof output === 'string' ? output : error
  return isTextual(text) && (text.includes('\n') || text.length > 120) ? text : null
}

const isTextual = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** Returns the time beside a row. If several rows have the same second, only the first shows it. */
export function shownTime(row: Row, before: Row | undefined, startedAt: number): number | null {
  if (row.at === null) return null
  const second = Math.floor((row.at - startedAt) / 1000)
  const isSame = before?.at != null && Math.floor((before.at - startedAt) / 1000) === second
  return isSame ? null : Math.max(0, second * 1000)
}

/** Returns the attempts that have a transcript. Runs of people have none. */
export const agentRuns = <R extends { readonly kind: string }>(runs: readonly R[]): readonly R[] =>
  runs.filter(({ kind }) => kind !== 'manual')

/** Returns the run that the URL names, or the latest run. */
export function chosenRun<R extends { readonly kind: string; readonly id: string; readonly attempt: number }>(
  runs: readonly R[],
  named: string | null,
): R | undefined {
  const shown = agentRuns(runs)
  return shown.find(({ id, attempt }) => id === named || String(attempt) === named) ?? shown.at(-1)
}
