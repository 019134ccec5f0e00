/** The output of `runs`: the attempts of a card. */
import { judgementText } from '../../core/goal.ts'
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
 * Formats one line for each run, with columns of the needed width. If `text` is false, the last line of the run is left
 * out, because the caller prints it below.
 */
export function runLines(runs: readonly Listed[], now: number, { text = true } = {}): readonly string[] {
  const cells = runs.map((run) => cellsOf(run, now))
  const widths = columnWidths(cells)
  return runs.map((run, at) =>
    [padded(cells[at] ?? [], widths), text ? lastText(run) : ''].filter((part) => part !== '').join('  '),
  )
}

/** The cells of a run: attempt, outcome, worker, duration, start, and the changes in a worktree. */
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

/** Pads the cells to their widths. If the last cell is empty, the line has no spaces at its end. */
const padded = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, at) => fit(cell, widths[at] ?? 0))
    .join('  ')
    .trimEnd()

/** The number of files and lines that a run changed in its worktree. */
const changesOf = ({ changes }: RunView): string =>
  changes === null
    ? ''
    : `${changes.files} ${changes.files === 1 ? 'file' : 'files'} +${changes.added} −${changes.removed}`

function outcomeOf({ outcome, phase, terminatingAt }: RunView): string {
  const state = outcome ?? (terminatingAt === null ? 'running' : 'ending')
  return phase === 'work' ? state : `${state} (${phase})`
}

/** The last line of the first text that the run has: its error, summary, judgement, output or note. */
function lastText({ error, summary, goal, note, lastLine = null }: Listed): string {
  const judged = goal?.judgements.at(-1)
  const judgement = judged === undefined ? null : `turn ${judged.turn}: ${judgementText(judged)}`
  const last = (error ?? summary ?? judgement ?? lastLine ?? note ?? '').trimEnd().split('\n').at(-1)
  return cutTo(oneLine((last ?? '').trim()), TEXT_MAX)
}

/** Formats the runs. On a terminal, the last line of a run is below the run, where it has more space. */
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
