/** A card with its history, for people. Everything that somebody wrote is escaped here. */
import type { TaskDetails } from '../../operations/views.ts'
import { block, oneLine } from '../escape.ts'
import { ICONS, assigneeOf, localTime } from './words.ts'

export function taskPage(task: TaskDetails): string {
  const sections = [
    header(task),
    task.body === null ? '' : block(task.body),
    task.result === null ? '' : `Result\n${indented(task.result)}`,
    section(
      'Comments',
      task.comments,
      (comment) => `${localTime(comment.createdAt)}  ${oneLine(comment.author)}: ${block(comment.body)}`,
    ),
    section('Runs', task.runs, runLine),
    section(
      'Events',
      task.events.slice(-20),
      (event) => `${localTime(event.createdAt)}  ${event.kind}  ${oneLine(event.actor)}`,
    ),
  ]
  return sections.filter((part) => part !== '').join('\n\n')
}

function header(task: TaskDetails): string {
  const rows: readonly (readonly [string, string | null])[] = [
    ['status', task.held ? `${task.status}, on hold` : task.status],
    ['assignee', assigneeOf(task)],
    ['board', task.board],
    ['tenant', task.tenant],
    ['priority', task.priority === 0 ? null : String(task.priority)],
    ['parents', task.parents.join(', ') || null],
    ['children', task.children.join(', ') || null],
    ['blocked', task.blockReason],
    ['last error', task.status === 'done' ? null : task.lastError],
    ['workspace', task.workspace.path],
    ['created', `${localTime(task.createdAt)} by ${task.createdBy}`],
  ]
  const lines = rows.flatMap(([name, value]) => (value === null ? [] : [`  ${name.padEnd(10)}  ${oneLine(value)}`]))
  return [`${ICONS[task.status]} ${task.id}  ${oneLine(task.title)}`, ...lines].join('\n')
}

function runLine(run: TaskDetails['runs'][number]): string {
  const seconds = run.endedAt === null ? '' : `  ${((run.endedAt - run.startedAt) / 1000).toFixed(1)} s`
  const said = (run.error ?? run.summary ?? '').trim().split('\n').at(-1) ?? ''
  return `#${run.attempt}  ${run.outcome ?? 'running'}  ${oneLine(run.agent ?? run.claimedBy)}${seconds}  ${oneLine(said).slice(0, 160)}`.trimEnd()
}

const section = <T>(title: string, rows: readonly T[], line: (row: T) => string): string =>
  rows.length === 0 ? '' : [title, ...rows.map((row) => `  ${line(row)}`)].join('\n')

const indented = (text: string): string =>
  block(text)
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
