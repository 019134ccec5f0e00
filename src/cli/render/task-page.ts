/** A card for people: its status with the reasons, its result, its text, its facts, then its history. */
import type { Explanation } from '../../operations/cards/explain-task.ts'
import type { TaskDetails } from '../../operations/shared/views.ts'
import { multiLine, oneLine } from '../escape.ts'
import { cardFacts } from './card-facts.ts'
import { eventText } from './event-line.ts'
import { reasonLines } from './reasons.ts'
import { runLine } from './run-table.ts'
import { ICONS, indented, localTime, size, statusText } from './format-values.ts'

export interface CardContext {
  readonly now: number
  /** Null if they are not available. */
  readonly reasons: Explanation['reasons'] | null
}

const EVENTS_SHOWN = 20

export function taskPage(task: TaskDetails, { now, reasons }: CardContext): string {
  const sections = [
    heading(task, { now, reasons }),
    handOff(task),
    task.body === null || task.body.trim() === '' ? '' : `Body\n${indented(task.body)}`,
    `Card\n${cardFacts(task)}`,
    commentPage(task),
    section('Runs', task.runs, (run) => runLine(run, now)),
    section('Events', task.events.slice(-EVENTS_SHOWN), (event) =>
      `${localTime(event.createdAt)}  ${event.kind.padEnd(18)}  ${oneLine(event.actor)}  ${eventText(event)}`.trimEnd(),
    ),
  ]
  return sections.filter((part) => part !== '').join('\n\n')
}

/** One page of comments, and the command that shows the page before it. */
function commentPage({ id, comments, earlierComments: earlier }: TaskDetails): string {
  const shown = section('Comments', comments, ({ createdAt, author, body, answerTo }) =>
    multiLine(
      `${localTime(createdAt)}  ${oneLine(author)}${answerTo === null ? '' : ` (${answerTo.verb})`}: ${body.trim()}`,
    ).replaceAll('\n', '\n    '),
  )
  const [oldest] = comments
  if (oldest === undefined || earlier === 0) return shown
  const older = `${earlier} earlier ${earlier === 1 ? 'comment' : 'comments'}`
  return `${shown}\n  ${older}. To see them: muster show ${id} --comments-before ${oldest.id}`
}

const heading = (task: TaskDetails, { now, reasons }: CardContext): string =>
  [
    `${ICONS[task.status]} ${task.id}  ${oneLine(task.title)}`,
    `  ${statusText(task)}`,
    ...reasonLines(reasons ?? [], now),
  ].join('\n')

/** The hand-off that the next worker builds on. */
function handOff(task: TaskDetails): string {
  const text = task.result ?? task.runs.findLast(({ summary }) => summary !== null && summary.trim() !== '')?.summary
  const files = task.attachments.map(
    ({ filename, size: bytes, uploadedBy }) => `  ${oneLine(filename)}  ${size(bytes)}  by ${oneLine(uploadedBy)}`,
  )
  return [
    ...(text == null || text.trim() === '' ? [] : [`Result\n${indented(text)}`]),
    ...(files.length === 0 ? [] : [['Files', ...files].join('\n')]),
  ].join('\n\n')
}

const section = <T>(title: string, rows: readonly T[], line: (row: T) => string): string =>
  rows.length === 0 ? '' : [title, ...rows.map((row) => `  ${line(row)}`)].join('\n')
