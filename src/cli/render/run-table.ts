/** The attempts at a card. */
import type { RunView } from '../../operations/run-view.ts'
import { oneLine } from '../escape.ts'
import type { Terminal } from '../terminal.ts'
import { cutTo, fit } from './width.ts'
import { localTime, span } from './words.ts'

/** Enough to tell what it was about; the whole of it is in `--json`. */
const WORDS_MAX = 160

export function runLine(run: RunView, now: number): string {
  const who = oneLine(run.agent ?? run.claimedBy)
  const phase = run.phase === 'work' ? '' : ` (${run.phase})`
  const outcome = run.outcome ?? (run.terminatingAt === null ? 'running' : 'ending')
  const cells = [
    `#${run.attempt}`.padEnd(4),
    `${outcome}${phase}`.padEnd(16),
    fit(who, 14),
    span((run.endedAt ?? now) - run.startedAt).padStart(8),
    localTime(run.startedAt),
  ]
  return [...cells, lastWords(run)].join('  ').trimEnd()
}

/** What went wrong is told by its end, what went well by its beginning. */
function lastWords({ error, summary, note }: RunView): string {
  const lines = (error ?? summary ?? note ?? '').trim().split('\n')
  return cutTo(oneLine((error === null ? lines[0] : lines.at(-1)) ?? ''), WORDS_MAX)
}

export function runTable(
  runs: readonly RunView[],
  { now, terminal }: { now: number; terminal: Terminal | null },
): string {
  if (runs.length === 0) return '(no runs)'
  const lines = runs.map((run) => runLine(run, now))
  if (terminal === null) return lines.join('\n')
  const header = `${'#'.padEnd(4)}  ${'OUTCOME'.padEnd(16)}  ${'BY'.padEnd(14)}  ${'TOOK'.padStart(8)}  STARTED`
  return [header, ...lines].map((line) => cutTo(line, terminal.columns)).join('\n')
}
