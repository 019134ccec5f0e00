/** The text of `runs`: the attempts of a card. */
import type { RunView } from '../../operations/runs/run-view.ts'
import { oneLine } from '../escape.ts'
import type { Terminal } from '../terminal.ts'
import { cutTo, fit } from './width.ts'
import { localTime, span } from './format-values.ts'

/** The whole text is in `--json`. */
const TEXT_MAX = 160

/** A longer outcome, such as `changes_requested (review)`, widens the column. */
const OUTCOME_MIN = 16

export function runLine(run: RunView, now: number, width = OUTCOME_MIN): string {
  const worker = oneLine(run.agent ?? run.claimedBy)
  const cells = [
    `#${run.attempt}`.padEnd(4),
    outcomeOf(run).padEnd(width),
    fit(worker, 14),
    span((run.endedAt ?? now) - run.startedAt).padStart(8),
    localTime(run.startedAt),
  ]
  return [...cells, changesOf(run), resultText(run)]
    .filter((cell, at) => cell !== '' || at < cells.length)
    .join('  ')
    .trimEnd()
}

/** Files and lines that a run changed in its worktree. */
const changesOf = ({ changes }: RunView): string =>
  changes === null
    ? ''
    : `${changes.files} ${changes.files === 1 ? 'file' : 'files'} +${changes.added} −${changes.removed}`

function outcomeOf({ outcome, phase, terminatingAt }: RunView): string {
  const state = outcome ?? (terminatingAt === null ? 'running' : 'ending')
  return phase === 'work' ? state : `${state} (${phase})`
}

/** The last line of an error, or the first line of a summary. */
function resultText({ error, summary, note }: RunView): string {
  const lines = (error ?? summary ?? note ?? '').trim().split('\n')
  return cutTo(oneLine((error === null ? lines[0] : lines.at(-1)) ?? ''), TEXT_MAX)
}

export function runTable(
  runs: readonly RunView[],
  { now, terminal }: { now: number; terminal: Terminal | null },
): string {
  if (runs.length === 0) return '(no runs)'
  const width = Math.max(OUTCOME_MIN, ...runs.map((run) => outcomeOf(run).length))
  const lines = runs.map((run) => runLine(run, now, width))
  if (terminal === null) return lines.join('\n')
  const header = `${'#'.padEnd(4)}  ${'OUTCOME'.padEnd(width)}  ${'BY'.padEnd(14)}  ${'TOOK'.padStart(8)}  STARTED`
  return [header, ...lines].map((line) => cutTo(line, terminal.columns)).join('\n')
}
