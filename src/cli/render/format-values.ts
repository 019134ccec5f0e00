/** Formats values that several views print: statuses, times, sizes. */
import type { Task } from '../../core/task.ts'
import type { Status } from '../../core/vocabulary.ts'
import type { TaskView } from '../../storage/store.ts'
import { multiLine, oneLine } from '../output/escape.ts'

export const ICONS: Readonly<Record<Status, string>> = {
  triage: '◇',
  todo: '◻',
  scheduled: '⏱',
  ready: '▶',
  running: '●',
  review: '◎',
  blocked: '⊘',
  done: '✓',
  archived: '—',
}

export const assigneeOf = ({ assignee }: Pick<Task, 'assignee'>): string =>
  assignee === null ? '(unassigned)' : oneLine(assignee)

export const statusText = ({ status, held }: Pick<Task, 'status' | 'held'>): string =>
  held ? `${status}, on hold` : status

export const dependencyLine = ({ id, parents, status }: Pick<TaskView, 'id' | 'parents' | 'status'>): string =>
  `${id} now depends on ${parents.length === 0 ? 'no other card' : parents.join(', ')}  (${status})`

/** A local time, without seconds. */
export function localTime(ms: number): string {
  const date = new Date(ms)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Formats a duration in one unit. The result is never negative, even if the clock was set back. */
export function span(ms: number): string {
  const tenths = (unit: number): string => String(Math.floor((Math.max(0, ms) / unit) * 10) / 10)
  if (ms < MINUTE) return `${tenths(SECOND)} s`
  if (ms < HOUR) return `${tenths(MINUTE)} min`
  return ms < 2 * DAY ? `${tenths(HOUR)} h` : `${tenths(DAY)} d`
}

export const size = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1024 ** 2
      ? `${Math.ceil(bytes / 1024)} KB`
      : `${(bytes / 1024 ** 2).toFixed(1)} MB`

/** Indents a block of text below a heading. */
export const indented = (text: string): string =>
  multiLine(text)
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** Describes the contents of a store or a backup. */
export const contents = ({ cards, boards }: { readonly cards: number; readonly boards: number }): string =>
  `${counted(cards, 'card')} on ${counted(boards, 'board')}`
