/**
 * Runs a check that is a shell command. The command runs in its own session, and all its processes are ended
 * afterwards.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../../config/environment.ts'
import type { ProcessTable } from '../../processes/process-table.ts'
import { groupMembers } from '../../processes/group.ts'
import { startPiped } from '../../processes/spawn.ts'
import type { PipedProcess, ProcessExit } from '../../processes/spawn.ts'
import { terminateGroup } from '../../processes/terminate.ts'
import type { TerminationTimeouts } from '../../processes/terminate.ts'
import type { RunId } from '../../core/ids.ts'
import { setAlarm } from '../alarm.ts'
import type { CheckResult } from './check.ts'
import { OutputWindow } from './output-window.ts'

export interface CheckPlace {
  readonly workspace: string
  /** All environment variables of the check, including the one that marks processes of the run. */
  readonly env: Environment
  readonly run: RunId
  readonly timeoutMs: number
  readonly processes: ProcessTable
  readonly timeouts: TerminationTimeouts
  /** If this signal aborts, the current check is ended, and no further check starts. */
  readonly signal: AbortSignal
}

type CommandResult = Omit<CheckResult, 'check' | 'durationMs'>

/**
 * How long to wait for remaining output after a check has ended. Processes that could not be ended may keep the pipe
 * open.
 */
const FINISH_OUTPUT_MS = 1_000
/** Distinguishes the processes of a check from those of the agent, which may run at the same time. */
const MARK = 'MUSTER_CHECK'
/**
 * Errors and output share one pipe, so that their order is kept. A background process in the same group kills the check
 * when this supervisor ends, because no process would read the result.
 */
const SCRIPT = '{ read -r _; kill -s KILL 0; } <&3 >/dev/null 2>&1 & exec 3<&- 2>&1; exec /bin/sh -c "$1"'

let started = 0

export async function runCheckCommand(line: string, place: CheckPlace): Promise<CommandResult> {
  const { workspace, env, run, timeoutMs, signal } = place
  started += 1
  const mark = `${run}:${process.pid}:${started}`
  const args = ['-c', SCRIPT, 'check', line]
  const child = await startPiped({ program: '/bin/sh', args, cwd: workspace, env: { ...env, [MARK]: mark } })
  const startTime = place.processes.read(child.pid)?.startTime ?? ''
  const seen = new OutputWindow()
  child.output.on('data', (chunk: Buffer) => seen.add(chunk))
  const key = { run, leader: { pid: child.pid, startTime } }
  const own = processesOfCheck(place.processes, mark)
  const first = await firstEnd(child, timeoutMs, signal)
  // If this process was suspended, the timer may fire first, although the check ended in time.
  const ended = first === 'late' && groupMembers(own, key).length === 0 ? await child.exited : first
  const left = await terminateGroup(own, key, place.timeouts)
  await finishOutput(child)
  signal.throwIfAborted()
  const output = { output: seen.text(), leftOutBytes: seen.leftOutBytes }
  if (left.length > 0) return { ...failed(`left processes that cannot be ended: ${pids(left)}`), ...output }
  if (ended === 'late') return { ...failed(`took longer than ${timeoutMs / 1000} s`), timedOut: true, ...output }
  return { ...resultOfExit(ended === 'aborted' ? await child.exited : ended), ...output }
}

const pids = (left: readonly { pid: number }[]): string => left.map(({ pid }) => pid).join(', ')

async function firstEnd(
  child: PipedProcess,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ProcessExit | 'late' | 'aborted'> {
  let stop = (): void => {}
  const cut = new Promise<'late' | 'aborted'>((resolve) => {
    const alarm = setAlarm(timeoutMs, () => resolve('late'))
    const abort = (): void => resolve('aborted')
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    stop = () => {
      alarm.stop()
      signal.removeEventListener('abort', abort)
    }
  })
  try {
    return await Promise.race([child.exited, cut])
  } finally {
    stop()
  }
}

/** Matches processes by the mark of the check. The agent's processes have the mark of the run too. */
const processesOfCheck = (processes: ProcessTable, mark: string): ProcessTable => ({
  read: (pid) => processes.read(pid),
  list: () => processes.list(),
  hasEnvironment: (pid) => processes.hasEnvironment(pid, `${MARK}=${mark}`),
  signal: (pid, signal) => processes.signal(pid, signal),
})

async function finishOutput({ output, release }: PipedProcess): Promise<void> {
  const over = new AbortController()
  const closed = new Promise<void>((resolve) => {
    if (output.closed) resolve()
    else output.once('close', resolve)
  })
  await Promise.race([closed, sleep(FINISH_OUTPUT_MS, undefined, { signal: over.signal }).catch(() => {})])
  over.abort()
  release()
}

const failed = (fault: string): Omit<CommandResult, 'output' | 'leftOutBytes'> => ({
  ok: false,
  fault,
  exitCode: null,
  signal: null,
  timedOut: false,
})

function resultOfExit({ code, signal }: ProcessExit): Omit<CommandResult, 'output' | 'leftOutBytes'> {
  if (code === 0) return { ok: true, fault: null, exitCode: 0, signal: null, timedOut: false }
  const fault = signal === null ? `exit ${code ?? '?'}` : `killed by ${signal}`
  return { ...failed(fault), exitCode: code, signal }
}
