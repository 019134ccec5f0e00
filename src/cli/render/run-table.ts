/** The text of `runs`: the attempts of a card. */
import type { RunView } from '../../operations/runs/run-view.ts'
import { oneLine } from '../output/escape.ts'
import type { Terminal } from '../output/terminal.ts'
import { cutTo, fit, widthOf } from './width.ts'
import { localTime, span } from './format-values.ts'

/** The maximum length of the last line. `--json` has the whole text. */
const TEXT_MAX = 160

const WORKER_MAX = 20

type Listed = RunView & { readonly lastLine?: string | null }

/**
 * One line per run, with columns as wide as needed. If `text` is false, the caller prints the last line of the run
 * below it.
 */
export function runLines(runs: readonly Listed[], now: number, { text = true } = {}): readonly string[] {
  const cells = runs.map((run) => cellsOf(run, now))
  const widths = columnWidths(cells)
  return runs.map((run, at) =>
    [padded(cells[at] ?? [], widths), text ? lastText(run) : ''].filter((part) => part !== '').join('  '),
  )
}

/** Attempt, outcome, worker, duration, start, and the changes of a worktree. */
const cellsOf = (run: Listed, now: number): readonly string[] => [
  `#${run.attempt}`,
  outcomeOf(run),
  cutTo(oneLine(run.agent ?? run.claimedBy), WORKER_MAX),
  span((run.endedAt ?? now) - run.startedAt),
  localTime(run.startedAt),
  changesOf(run),
]

const HEADER = ['#', 'OUTCOME', 'BY', 'TOOK', 'STARTED', 'CHANGES'] as const

const columnWidths = (table: readonly (readonly string[])[]): readonly number[] =>
  HEADER.map((_, at) => Math.max(0, ...table.map((row) => widthOf(row[at] ?? ''))))

/** Pads the cells to their widths. An empty last cell adds no trailing spaces. */
const padded = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, at) => fit(cell, widths[at] ?? 0))
    .join('  ')
    .trimEnd()

/** Files and lines that a run changed in its worktree. */
const changesOf = ({ changes }: RunView): string =>
  changes === null
    ? ''
    : `${changes.files} ${changes.files === 1 ? 'file' : 'files'} +${changes.added} −${changes.removed}`

function outcomeOf({ outcome, phase, terminatingAt }: RunView): string {
  const state = outcome ?? (terminatingAt === null ? 'running' : 'ending')
  return phase === 'work' ? state : `${state} (${phase})`
}

/** The last line of the run's error, summary, output or note, whichever exists first. */
function lastText({ error, summary, note, lastLine = null }: Listed): string {
  const last = (error ?? summary ?? lastLine ?? note ?? '').trimEnd().split('\n').at(-1)
  return cutTo(oneLine((last ?? '').trim()), TEXT_MAX)
}

/** On a terminal, the last line of a run is below it, so that it has room. */
export function runTable(
  runs: readonly Listed[],
  { now, terminal }: { now: number; terminal: Terminal | null },
): string {
  if (runs.length === 0) return '(no runs)'
  if (terminal === null) return runLines(runs, now).join('\n')
  const cells = runs.map((run) => cellsOf(run, now))
  const hasChanges = cells.some((row) => row.at(-1) !== '')
  const header = HEADER.filter((_, at) => hasChanges || at < HEADER.length - 1)
  const widths = columnWidths([header, ...cells])
  return [
    padded(header, widths),
    ...runs.flatMap((run, at) => {
      const text = lastText(run)
      return [padded(cells[at] ?? [], widths), ...(text === '' ? [] : [`${' '.repeat((widths[0] ?? 0) + 2)}${text}`])]
    }),
  ]
    .map((line) => cutTo(line, terminal.columns))
    .join('\n')
}
