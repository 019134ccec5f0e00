/** Formats one event in one line: time, kind, card, actor and details. */
import type { BoardEvent } from '../../core/event.ts'
import { oneLine } from '../output/escape.ts'
import { shortId } from './short-id.ts'
import { fit } from './width.ts'

/** An event with the title of its card. */
export type TitledEvent = BoardEvent & { readonly title: string | null }

/** The details to print, the most important first. */
const DETAILS = [
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

const TITLE_WIDTH = 24

/** Formats the line of an event. If the title of a card is given, the line also shows the card's id and title. */
export function eventLine(event: BoardEvent, { title }: { readonly title?: string | null } = {}): string {
  const parts = [
    clockOf(event.createdAt),
    event.kind.padEnd(18),
    ...(title === undefined
      ? []
      : [fit(event.taskId === null ? '' : shortId(event.taskId), 8), fit(oneLine(title ?? ''), TITLE_WIDTH)]),
    oneLine(event.actor).padEnd(12),
    eventText(event),
  ]
  return parts.join('  ').trimEnd()
}

export function eventText({ data }: Pick<BoardEvent, 'data'>): string {
  const details = DETAILS.map((key) => data[key]).filter(
    (value) => value !== null && value !== undefined && value !== '',
  )
  return details.slice(0, 2).map(detailText).join('  ')
}

function detailText(value: unknown): string {
  if (typeof value === 'string') return oneLine(value)
  return oneLine(Array.isArray(value) ? value.join(', ') : JSON.stringify(value))
}
