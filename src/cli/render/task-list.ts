/**
 * Formats a list of cards. On a terminal, the list is a table whose lines never wrap. Text that does not fit is cut or
 * left out.
 */
import { AFTER_TITLE_FIELDS, cardField } from '../../core/card-fields.ts'
import { ASKED_BLOCK_KINDS } from '../../core/vocabulary.ts'
import type { ListedTask } from '../../storage/store.ts'
import { oneLine } from '../output/escape.ts'
import type { Terminal } from '../output/terminal.ts'
import { paintsFor } from './paint.ts'
import type { Cell } from './tsv.ts'
import { cutTo, fit, widthOf } from './width.ts'
import { ICONS, assigneeOf, statusText } from './format-values.ts'

interface ListColumn {
  readonly title: string
  readonly of: (task: ListedTask) => string
  /** The maximum width of the column. */
  readonly max: number
}

const ID: ListColumn = { title: '  ID', of: ({ status, id }) => `${ICONS[status]} ${id}`, max: 20 }
const STATUS: ListColumn = { title: 'STATUS', of: statusText, max: 18 }
const ASSIGNEE: ListColumn = { title: 'ASSIGNEE', of: assigneeOf, max: 16 }
const PRIORITY: ListColumn = { title: 'PRI', of: ({ priority }) => String(priority), max: 6 }

const GAP = '  '
/** The minimum width of a title. If a title would get less space, another column is left out. */
const TITLE_MIN = 24

const titleOf = (task: ListedTask): string =>
  `${task.tenant === null ? '' : `[${oneLine(task.tenant)}] `}${oneLine(task.title)}${valuesAfterTitle(task)}${questionOf(task)}`

const valuesAfterTitle = (task: ListedTask): string =>
  AFTER_TITLE_FIELDS.flatMap((name) =>
    task[name].map((value) => ` ${cardField(name).afterTitle ?? ''}${oneLine(value)}`),
  ).join('')

const QUESTION_MAX = 120

/** The question or reason that was given when the card was blocked. This is empty for other cards. */
function questionOf({ status, blockKind, blockReason }: ListedTask): string {
  const kind = ASKED_BLOCK_KINDS.find((one) => one === blockKind)
  if (kind === undefined || blockReason === null || (status !== 'blocked' && status !== 'triage')) return ''
  return `  (${kind.replaceAll('_', ' ')}: ${cutTo(oneLine(blockReason), QUESTION_MAX)})`
}

export const taskRow = (task: ListedTask): readonly Cell[] => [
  task.id,
  statusText(task),
  task.assignee,
  task.priority,
  titleOf(task),
]

/** Formats the table. `waits` has the reasons why cards do not start, by id of the card. */
export function taskTable(
  tasks: readonly ListedTask[],
  { columns: width, colors }: Terminal,
  waits: ReadonlyMap<string, string>,
): string {
  const columns = chooseColumns(tasks, width)
  const left = width - taken(columns)
  const paints = paintsFor(colors && left > 0)
  const header = columns.map(({ title, width: own }) => fit(title, own))
  const row = (task: ListedTask): string => {
    const cells = columns.map(({ of, width: own }) => fit(of(task), own))
    const painted = cells.map((cell, at) => (at < 2 ? paints.status(task.status, cell) : cell))
    const { title, wait } = shareWidth(titleOf(task), waits.get(task.id) ?? '', left)
    return [...painted, title, ...(wait === '' ? [] : [paints.faint(wait)])].join(GAP)
  }
  const lines = [paints.faint([...header, cutTo('TITLE', left)].join(GAP)), ...tasks.map(row)]
  // If the terminal is narrower than an id, the lines have no colours, because cutting a line could break a colour
  // code.
  return (left > 0 ? lines : lines.map((line) => cutTo(line, width))).join('\n')
}

/**
 * The minimum width of a cut title. The reason gets the rest of the line, because a card that never starts needs
 * attention.
 */
const TITLE_LEAST = 14

function shareWidth(title: string, wait: string, width: number): { readonly title: string; readonly wait: string } {
  if (wait === '') return { title: cutTo(title, width), wait }
  const least = Math.max(0, Math.min(widthOf(wait), width - TITLE_LEAST - GAP.length))
  const shown = cutTo(title, Math.max(0, width - GAP.length - least))
  return { title: shown, wait: cutTo(wait, width - widthOf(shown) - GAP.length) }
}

const taken = (columns: readonly { readonly width: number }[]): number =>
  columns.reduce((sum, column) => sum + column.width + GAP.length, 0)

/** Chooses columns so that the title has enough space. The last columns are left out first. */
function chooseColumns(tasks: readonly ListedTask[], width: number): (ListColumn & { readonly width: number })[] {
  const ranked = tasks.some(({ priority }) => priority !== 0)
    ? [ID, STATUS, ASSIGNEE, PRIORITY]
    : [ID, STATUS, ASSIGNEE]
  const sized = ranked.map((column) => ({ ...column, width: widthIn(tasks, column) }))
  while (sized.length > 1 && width - taken(sized) < TITLE_MIN) sized.pop()
  return sized
}

const widthIn = (tasks: readonly ListedTask[], { title, of, max }: ListColumn): number =>
  Math.min(
    max,
    tasks.reduce((widest, task) => Math.max(widest, widthOf(of(task))), title.length),
  )
