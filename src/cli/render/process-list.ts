/** The output of `ps`: each run with its condition, its process tree and its last line. */
import type { RunProcesses } from '../../operations/runs/list-processes.ts'
import type { RunCondition } from '../../operations/runs/run-condition.ts'
import { oneLine } from '../output/escape.ts'
import type { Terminal } from '../output/terminal.ts'
import { cutTo } from './width.ts'
import { ICONS, size, span } from './format-values.ts'

type Process = RunProcesses['processes'][number]

const CONDITIONS: Readonly<Record<RunCondition, string>> = {
  manual: 'a person works on it',
  elsewhere: 'on another machine',
  starting: 'starting',
  working: 'working',
  settling: 'agent ended; running checks and saving the result',
  ending: 'ending',
  orphaned: 'supervisor lost; muster up will end its processes',
  gone: 'agent and supervisor ended; muster up will close the run',
}

export function processList(
  runs: readonly RunProcesses[],
  { now, terminal }: { now: number; terminal: Terminal | null },
): string {
  if (runs.length === 0) return '(no runs)'
  const lines = runs.flatMap((run) => runLines(run, now))
  return lines.map((line) => (terminal === null ? line : cutTo(line, terminal.columns))).join('\n')
}

const runLines = (run: RunProcesses, now: number): readonly string[] => [
  `${ICONS.running} ${run.taskId}  ${oneLine(run.title)}`,
  `  ${run.runId}  ${oneLine(run.agent ?? run.claimedBy)}  attempt ${run.attempt}${run.phase === 'work' ? '' : ` (${run.phase})`}  ` +
    `${span(run.ageMs)}  ${CONDITIONS[run.condition]}`,
  ...activityLines(run, now),
  ...(run.condition === 'elsewhere' ? [`  machine ${oneLine(run.machine ?? 'unknown')}${contactText(run)}`] : []),
  ...(run.supervisor === null ? [] : [`  supervisor ${supervisorText(run, run.supervisor)}`]),
  ...(run.processes.length === 0 ? [] : [`  ${totals(run)}`, ...tree(run.processes)]),
  ...(run.lastLine === null ? [] : [`  > ${oneLine(run.lastLine)}`]),
]

/** Formats the lines about activity: output, tool calls and heartbeats. A run of a person reports no activity. */
const activityLines = ({ kind, lastActivityAt }: RunProcesses, now: number): readonly string[] => {
  if (kind === 'manual') return []
  return [`  last activity ${lastActivityAt === null ? 'none yet' : `${span(now - lastActivityAt)} ago`}`]
}

const supervisorText = (
  run: RunProcesses,
  { pid, alive, state, rssBytes }: NonNullable<RunProcesses['supervisor']>,
): string =>
  alive ? `${pid}  ${state}  ${size(rssBytes)}${contactText(run)}` : `${pid} not running${contactText(run)}`

function contactText({ lease }: RunProcesses): string {
  if (lease === null) return ''
  return lease.leftMs < 0
    ? `  no contact, overdue by ${span(-lease.leftMs)}`
    : `  last contact ${span(lease.ageMs)} ago`
}

const totals = ({ processes, rssBytes, cpuMs, cpuPercent }: RunProcesses): string =>
  `${processes.length} ${processes.length === 1 ? 'process' : 'processes'}  ${size(rssBytes)}  CPU ${span(cpuMs)} (${cpuPercent} %)`

/** Formats the processes of a run as a tree. A process whose parent is outside the run is a root. */
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
