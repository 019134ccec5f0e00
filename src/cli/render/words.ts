/** What every view of a card is made of. */
import type { Task } from '../../core/task.ts'
import type { Status } from '../../core/vocabulary.ts'
import { oneLine } from '../escape.ts'

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

/** Local time, to the minute. */
export function localTime(ms: number): string {
  const date = new Date(ms)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
