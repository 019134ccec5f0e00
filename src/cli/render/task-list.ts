import colors from 'picocolors'
import type { Status } from '../../core/vocabulary.ts'
import type { TaskView } from '../../storage/store.ts'
import { oneLine } from '../escape.ts'
import { ICONS, assigneeOf } from './words.ts'

type Paint = (text: string) => string

/** Only what asks for a look stands out. */
function paintsFor(enabled: boolean): Readonly<Partial<Record<Status, Paint>>> {
  const { green, yellow, red, dim, cyan } = colors.createColors(enabled)
  return { running: green, review: cyan, blocked: red, scheduled: yellow, done: dim, archived: dim }
}

const taskLine = (task: TaskView, paint: Paint = String): string =>
  [
    `${paint(ICONS[task.status])} ${task.id}`,
    paint(task.status.padEnd(9)),
    assigneeOf(task).padEnd(14),
    `${task.tenant === null ? '' : `[${oneLine(task.tenant)}] `}${oneLine(task.title)}`,
  ].join('  ')

export function taskList(tasks: readonly TaskView[], { colored }: { colored: boolean }): string {
  const paints = paintsFor(colored)
  return tasks.length === 0
    ? '(no matching cards)'
    : tasks.map((task) => taskLine(task, paints[task.status])).join('\n')
}
