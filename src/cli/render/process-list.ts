/** What runs now, for people: a run, how it stands, its tree of processes, its last line. */
import type { LiveRun } from '../../operations/runs/list-processes.ts'
import type { RunCondition } from '../../operations/runs/run-condition.ts'
import { oneLine } from '../escape.ts'
import type { Terminal } from '../terminal.ts'
import { cutTo } from './width.ts'
import { ICONS, size, span } from './words.ts'

type Process = LiveRun['processes'][number]

const CONDITIONS: Readonly<Record<RunCondition, string>> = {
  manual: 'a person works on it',
  elsewhere: 'on another machine',
  starting: 'starting',
  working: 'working',
  settling: 'its processes are gone; its supervisor checks and settles',
  ending: 'ending',
  orphaned: 'its supervisor is gone; a dispatcher ends what is left',
  gone: 'its processes are gone, its supervisor too; a dispatcher closes it',
}

export function processList(runs: readonly LiveRun[], terminal: Terminal | null): string {
  if (runs.length === 0) return '(nothing runs)'
  const lines = runs.flatMap(runLines)
  return lines.map((line) => (terminal === null ? line : cutTo(line, terminal.columns))).join('\n')
}

const runLines = (run: LiveRun): readonly string[] => [
  `${ICONS.running} ${run.taskId}  ${oneLine(run.title)}`,
  `  ${run.runId}  ${oneLine(run.agent ?? run.claimedBy)}  attempt ${run.attempt}${run.phase === 'work' ? '' : ` (${run.phase})`}  ` +
    `${span(run.ageMs)}  ${CONDITIONS[run.condition]}`,
  ...(run.condition === 'elsewhere' ? [`  machine ${oneLine(run.machine ?? 'unknown')}${leaseWords(run)}`] : []),
  ...(run.supervisor === null ? [] : [`  supervisor ${supervisorWords(run, run.supervisor)}`]),
  ...(run.processes.length === 0 ? [] : [`  ${totals(run)}`, ...tree(run.processes)]),
  ...(run.lastLine === null ? [] : [`  > ${oneLine(run.lastLine)}`]),
]

const supervisorWords = (run: LiveRun, { pid, alive, state, rssBytes }: NonNullable<LiveRun['supervisor']>): string =>
  alive ? `${pid}  ${state}  ${size(rssBytes)}${leaseWords(run)}` : `${pid} is gone${leaseWords(run)}`

function leaseWords({ lease }: LiveRun): string {
  if (lease === null) return ''
  return lease.leftMs < 0 ? `  lease over since ${span(-lease.leftMs)}` : `  lease renewed ${span(lease.ageMs)} ago`
}

const totals = ({ processes, rssBytes, cpuMs, cpuPercent }: LiveRun): string =>
  `${processes.length} ${processes.length === 1 ? 'process' : 'processes'}  ${size(rssBytes)}  CPU ${span(cpuMs)} (${cpuPercent} %)`

/** Whose parent is not of the run stands at the left. */
function tree(processes: readonly Process[]): readonly string[] {
  const known = new Set(processes.map(({ pid }) => pid))
  const below = (parent: number | null, depth: number): readonly string[] =>
    processes
      .filter((one) => (parent === null ? !known.has(one.parent) : one.parent === parent))
      .flatMap((one) => [processLine(one, depth), ...below(one.pid, depth + 1)])
  return below(null, 0)
}

const processLine = ({ pid, command, state, rssBytes, cpuMs }: Process, depth: number): string =>
  `    ${String(pid).padStart(7)}  ${state.padEnd(8)}  ${size(rssBytes).padStart(9)}  ${span(cpuMs).padStart(8)}  ` +
  `${'  '.repeat(depth)}${oneLine(command)}`
