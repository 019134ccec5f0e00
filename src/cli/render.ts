/** Cards and reports as lines for people. Everything that somebody wrote is escaped here. */
import colors from 'picocolors'
import type { TaskView } from '../storage/store.ts'
import type { DispatchReport } from '../operations/dispatch-once.schema.ts'
import type { Status } from '../core/vocabulary.ts'
import { block, oneLine } from './escape.ts'
import type { TaskDetails } from '../operations/views.ts'

const ICONS: Readonly<Record<Status, string>> = {
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

const assigneeOf = ({ assignee }: Pick<TaskView, 'assignee'>): string =>
  assignee === null ? '(unassigned)' : oneLine(assignee)

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

/** Local time, to the minute. */
function localTime(ms: number): string {
  const date = new Date(ms)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

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

export function dispatchLines(report: DispatchReport): string {
  const lines = [
    ...report.interrupted.map((run) => `interrupted  ${run.id}`),
    ...report.woken.map((id) => `woken        ${id}`),
    ...report.started.map(
      (run) => `started      ${run.id}  ${oneLine(run.agent)}${run.attempt === null ? '' : `  attempt ${run.attempt}`}`,
    ),
    ...report.settled.map((run) => `settled      ${run.id}  ${run.outcome ?? ''}  now ${run.status}`),
    ...report.deferred.map(({ id, reason }) => `deferred     ${id}  ${oneLine(reason)}`),
    ...report.notes.map((note) => `deferred     ${oneLine(note)}`),
    ...report.capped.map((id) => `capped       ${id}  waits for a free place`),
    ...report.unassigned.map((id) => `unassigned   ${id}`),
  ]
  return lines.length === 0 ? 'Nothing to do.' : lines.join('\n')
}
