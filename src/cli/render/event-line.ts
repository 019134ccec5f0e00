/** One event in one line: when, what, which card, who, and the words it carries. */
import type { BoardEvent } from '../../core/event.ts'
import { oneLine } from '../escape.ts'

/** What somebody said comes first; of the rest, what fits. */
const WORDS = [
  'reason',
  'summary',
  'forced',
  'snapshot',
  'child',
  'error',
  'note',
  'message',
  'filename',
  'fields',
  'branch',
  'notes',
  'agent',
  'assignee',
  'status',
  'asked',
] as const

export const clockOf = (ms: number): string => new Date(ms).toTimeString().slice(0, 8)

export function eventLine(event: BoardEvent, { card = false }: { card?: boolean } = {}): string {
  const parts = [
    clockOf(event.createdAt),
    event.kind.padEnd(18),
    ...(card ? [(event.taskId ?? '').padEnd(12)] : []),
    oneLine(event.actor).padEnd(12),
    wordsOf(event),
  ]
  return parts.join('  ').trimEnd()
}

export function wordsOf({ data }: Pick<BoardEvent, 'data'>): string {
  const said = WORDS.map((key) => data[key]).filter((value) => value !== null && value !== undefined && value !== '')
  return said.slice(0, 2).map(inWords).join('  ')
}

function inWords(value: unknown): string {
  if (typeof value === 'string') return oneLine(value)
  return oneLine(Array.isArray(value) ? value.join(', ') : JSON.stringify(value))
}
