/** A check that is a line for the shell. It leads a session of its own, and nothing of it is left when it is over. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../../config/environment.ts'
import type { ProcessTable } from '../../processes/process-table.ts'
import { groupMembers } from '../../processes/group.ts'
import { startPiped } from '../../processes/spawn.ts'
import type { Piped, ProcessExit } from '../../processes/spawn.ts'
import { terminateGroup } from '../../processes/terminate.ts'
import type { Patience } from '../../processes/terminate.ts'
import type { RunId } from '../../core/ids.ts'
import { setAlarm } from '../alarm.ts'
import type { CheckResult } from './check.ts'
import { OutputWindow } from './output-window.ts'

export interface CheckPlace {
  readonly workspace: string
  /** The whole environment, the run's mark included. */
  readonly env: Environment
  readonly run: RunId
  readonly timeoutMs: number
  readonly processes: ProcessTable
  readonly patience: Patience
  /** Ends the check that is under way; no other is begun. */
  readonly signal: AbortSignal
}

type Judged = Omit<CheckResult, 'check' | 'durationMs'>

/** After its processes are gone nothing holds its output open, or nothing that we could end. */
const LAST_OUTPUT_MS = 1_000
/** Tells the processes of one check from those of the agent, which may live beside it. */
const MARK = 'MUSTER_CHECK'
/**
 * Errors and output go through one pipe, in the order in which they were printed. A watcher in the same group ends it
 * when we are gone: nobody is there to be told how the check went.
 */
const CHECK = '{ read -r _; kill -s KILL 0; } <&3 >/dev/null 2>&1 & exec 3<&- 2>&1; exec /bin/sh -c "$1"'

let started = 0

export async function runCommand(line: string, place: CheckPlace): Promise<Judged> {
  const { workspace, env, run, timeoutMs, signal } = place
  started += 1
  const mark = `${run}:${process.pid}:${started}`
  const args = ['-c', CHECK, 'check', line]
  const child = await startPiped({ program: '/bin/sh', args, cwd: workspace, env: { ...env, [MARK]: mark } })
  const startTime = place.processes.read(child.pid)?.startTime ?? ''
  const seen = new OutputWindow()
  child.output.on('data', (chunk: Buffer) => seen.add(chunk))
  const key = { run, leader: { pid: child.pid, startTime } }
  const own = ofCheck(place.processes, mark)
  const first = await firstEnd(child, timeoutMs, signal)
  // Should we have been stopped meanwhile, it may have ended in time, and only we are late.
  const ended = first === 'late' && groupMembers(own, key).length === 0 ? await child.exited : first
  const left = await terminateGroup(own, key, place.patience)
  await lastOutput(child)
  signal.throwIfAborted()
  const output = { output: seen.text(), leftOutBytes: seen.leftOutBytes }
  if (left.length > 0) return { ...failed(`left processes that cannot be ended: ${pids(left)}`), ...output }
  if (ended === 'late') return { ...failed(`took longer than ${timeoutMs / 1000} s`), timedOut: true, ...output }
  return { ...judge(ended === 'aborted' ? await child.exited : ended), ...output }
}

const pids = (left: readonly { pid: number }[]): string => left.map(({ pid }) => pid).join(', ')

async function firstEnd(
  child: Piped,
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

/** The mark of the run is on the agent's processes too: here only those of this check are meant. */
const ofCheck = (processes: ProcessTable, mark: string): ProcessTable => ({
  read: (pid) => processes.read(pid),
  list: () => processes.list(),
  hasEnvironment: (pid) => processes.hasEnvironment(pid, `${MARK}=${mark}`),
  signal: (pid, signal) => processes.signal(pid, signal),
})

async function lastOutput({ output, release }: Piped): Promise<void> {
  const over = new AbortController()
  const closed = new Promise<void>((resolve) => {
    if (output.closed) resolve()
    else output.once('close', resolve)
  })
  await Promise.race([closed, sleep(LAST_OUTPUT_MS, undefined, { signal: over.signal }).catch(() => {})])
  over.abort()
  release()
}

const failed = (fault: string): Omit<Judged, 'output' | 'leftOutBytes'> => ({
  ok: false,
  fault,
  exitCode: null,
  signal: null,
  timedOut: false,
})

function judge({ code, signal }: ProcessExit): Omit<Judged, 'output' | 'leftOutBytes'> {
  if (code === 0) return { ok: true, fault: null, exitCode: 0, signal: null, timedOut: false }
  const fault = signal === null ? `exit ${code ?? '?'}` : `killed by ${signal}`
  return { ...failed(fault), exitCode: code, signal }
}
