import type { Pause } from '../../operations/agents/views.ts'
import { oneLine } from '../output/escape.ts'
import { localTime } from './format-values.ts'

export const pauseTable = (pauses: readonly Pause[]): string =>
  pauses.length === 0 ? '(nothing is paused)' : pauses.map(pauseLine).join('\n')

/** Formats a pause, such as `agent coder by ada since 2026-11-15 09:30 until 2026-11-15 11:30: wrong model`. */
export function pauseLine({ kind, name, cause, by, since, until, reason }: Pause): string {
  // For a pause by Muster itself, the cause explains the pause, so no author is shown.
  const author = by === null || by.startsWith('muster:') ? '' : ` by ${oneLine(by)}`
  const end = until === null ? '' : ` until ${localTime(until)}`
  const why = reason === null ? '' : `: ${oneLine(reason)}`
  const label = cause === null || cause === 'person' ? '' : ` (${cause})`
  return `${kind} ${oneLine(name)}${label}${author} since ${localTime(since)}${end}${why}`
}
