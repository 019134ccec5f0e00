/** Simulations of wrapper, worker, watchdog and check. Dispatchers and supervisors run the shipped code. */
import { sealed } from '../../src/runs/files/sealed-line.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import type { RunDirectory } from '../../src/runs/files/run-directory.ts'
import { asRunId } from './names.ts'
import type { Kernel } from './kernel.ts'
import { signalNumber } from './kernel.ts'
import type { Plan } from './plan.ts'
import type { SimProcess } from './process.ts'
import type { RunTruth } from './truth.ts'

const pause = (kernel: Kernel, process: SimProcess, ms: number): Promise<void> =>
  new Promise((resolve) => kernel.push(process, 'works', ms, resolve))

/** Writes a file as a shell script does: without a sync. If the disk is full, no error is thrown. */
function put(process: SimProcess, path: string, text: string, append = false): boolean {
  try {
    process.machine.disk.write(path, Buffer.from(text), { append })
    return true
  } catch {
    return false
  }
}

export interface Wrapped {
  readonly directory: RunDirectory
  readonly runId: string
  readonly tokenHash: string
  startWorker(): SimProcess
}

/**
 * Simulates the wrapper: it leads the session, writes its pid, runs the worker, and writes the exit code of the worker.
 */
export async function wrapper(kernel: Kernel, process: SimProcess, wrapped: Wrapped): Promise<number> {
  const { directory, runId, tokenHash } = wrapped
  const fence = { runId: asRunId(runId), tokenHash }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.handlers.set(signal, new Set([() => {}]))
  const seal = (file: 'pid' | 'exit', words: string): void => {
    const line = sealed(`muster-${file}`, fence, words)
    if (put(process, `${directory[file]}.tmp`, line))
      process.machine.disk.rename(`${directory[file]}.tmp`, directory[file])
  }
  await pause(kernel, process, kernel.latency())
  seal('pid', `${process.pid} ${process.startTime}`)
  await pause(kernel, process, kernel.latency())
  const worker = wrapped.startWorker()
  const { code, signal } = await kernel.awaitEnd(process, worker)
  const status = code ?? 128 + signalNumber(signal)
  await pause(kernel, process, kernel.latency())
  seal('exit', String(status))
  await pause(kernel, process, kernel.latency())
  return status
}

export interface Job {
  readonly plan: Plan
  readonly directory: RunDirectory
  readonly truth: RunTruth
  readonly attempt: number
  readonly turn: number
  /** Another card that the worker may try to change. */
  readonly stranger: string | null
  startDaemon(): void
}

/** Sends a command through the socket with the nonce, as `muster` does inside a run. */
async function sendCommand(kernel: Kernel, process: SimProcess, op: string, input: object): Promise<unknown> {
  const { MUSTER_SOCKET: path = '', MUSTER_NONCE: nonce } = process.env
  await pause(kernel, process, kernel.latency())
  const socket = process.machine.sockets.get(path)
  if (socket === undefined || (nonce !== undefined && socket.nonce !== nonce)) throw new Error('run_over')
  return new Promise((resolve, reject) => {
    const { server } = socket
    const lost = (): void =>
      void (process.isAlive && kernel.push(process, 'hangs up', 1, () => reject(new Error('run_over'))))
    server.onEnd.push(lost)
    kernel.push(server, `asked ${op}`, kernel.latency(), () => {
      const back = (answer: () => void) => (): void =>
        void (process.isAlive && kernel.push(process, `told of ${op}`, kernel.latency(), answer))
      socket.answer(op, input).then(
        (output) => back(() => resolve(output))(),
        (error: unknown) => back(() => reject(error))(),
      )
    })
  })
}

/** Simulates the worker: it works, prints, fails, hangs or reports as planned, and records its actions in `truth`. */
export async function worker(kernel: Kernel, process: SimProcess, job: Job): Promise<number> {
  const { plan, truth, attempt, directory } = job
  const clock = (): number => process.machine.running()
  const card = process.env['MUSTER_TASK'] ?? ''
  if (plan.deaf) process.handlers.set('SIGTERM', new Set([() => {}]))
  const print = (line: string): void => {
    if (put(process, directory.log, `${line}\n`, true)) truth.lastSignOfLifeAt = clock()
  }
  truth.lastSignOfLifeAt = clock()
  truth.turns = job.turn
  truth.ownExit = null
  if (plan.daemon) job.startDaemon()
  if (plan.hangs && attempt === 0) await pause(kernel, process, 100 * 3_600_000)
  const end = clock() + plan.workMs
  while (clock() < end) {
    await pause(kernel, process, Math.min(plan.workMs / 3 + 1, 10_000))
    print('works')
  }
  if (plan.meddles && job.stranger !== null)
    for (const [op, task] of [
      ['unblock', job.stranger],
      ['complete', job.stranger],
    ] as const)
      await sendCommand(kernel, process, op, { task }).catch(() => {})
  if (attempt < plan.failFirst) return exit(truth, plan.failCode)
  print('done')
  put(process, `${process.env['MUSTER_WORKSPACE'] ?? ''}/made-${attempt}`, 'what the worker made')
  // A `coder` is asked again for a missing verdict, so it reports only after its silent turns. A `shell` agent is not
  // asked again, so it reports at once.
  if (plan.agent === 'shell' || job.turn > plan.silentTurns) await sendVerdict(kernel, process, { card, plan, truth })
  await pause(kernel, process, kernel.random.duration(1, 500))
  return exit(truth, 0)
}

function exit(truth: RunTruth, code: number): number {
  truth.ownExit = code
  return code
}

/** Writes the verdict file, like an agent without tools. */
function writeResultFile(process: SimProcess, { says }: Plan, truth: RunTruth): void {
  if (says === null) return
  truth.said = says
  const said = { verdict: says.replace('-', '_'), summary: 'written down', reason: 'a question' }
  put(process, `${process.env['MUSTER_WORKSPACE'] ?? ''}/RESULT.json`, JSON.stringify(said))
}

const WORDS = {
  complete: (task: string) => ({ task, summary: 'said by the worker' }),
  block: (task: string) => ({ task, reason: 'a question', kind: 'needs_input' }),
  'request-review': (task: string) => ({ task, summary: 'please look' }),
  'request-changes': (task: string) => ({ task, reason: 'do it again' }),
}

/** Sends the verdict, and repeats it if its checks fail. */
async function sendVerdict(
  kernel: Kernel,
  process: SimProcess,
  { card, plan, truth }: { card: string; plan: Plan; truth: RunTruth },
): Promise<void> {
  const { says } = plan
  if (says === null) return
  if (plan.writes && plan.agent === 'coder') return writeResultFile(process, plan, truth)
  for (let tries = 0; tries < 4; tries += 1) {
    truth.said = says
    try {
      await sendCommand(kernel, process, says, WORDS[says](card))
      truth.heard = says
      return
    } catch {
      await pause(kernel, process, kernel.random.duration(10, 1_000))
    }
  }
}

/**
 * Simulates the watchdog: it waits until the heartbeat file stops changing, then ends the processes of the run, the
 * wrapper first.
 */
export async function watchdog(kernel: Kernel, process: SimProcess, args: readonly string[]): Promise<number> {
  const [, path = '', run = '', patience = '', every = '', grace = ''] = args
  const directory = runDirectoryAt(path)
  const { machine } = process
  const read = (file: string): string => machine.disk.find(file)?.data.toString() ?? ''
  const members = (leader: number): SimProcess[] =>
    [...machine.processes.values()].filter(
      (one) => one.isAlive && (one.env['MUSTER_RUN'] === run || one.session === leader || one.group === leader),
    )
  let last = ''
  for (let same = 0; same < Number(patience);) {
    await pause(kernel, process, Number(every) * 1000)
    const beat = read(directory.beat)
    same = beat === last ? same + 1 : 0
    last = beat
  }
  const [, , , , leader = '0', startTime = ''] = read(directory.pid).split(' ')
  const led = machine.processes.get(Number(leader))
  const own = led !== undefined && led.startTime !== startTime ? 0 : Number(leader)
  if (members(own).length === 0) return 0
  put(process, directory.cutOff, '')
  if (own !== 0) machine.signal(own, 'SIGKILL')
  for (const { pid } of members(own)) for (const signal of ['SIGTERM', 'SIGCONT'] as const) machine.signal(pid, signal)
  await pause(kernel, process, Number(grace) * 1000)
  for (const { pid } of members(own)) machine.signal(pid, 'SIGKILL')
  await pause(kernel, process, 1)
  for (const { pid } of members(own)) machine.signal(pid, 'SIGKILL')
  return 0
}

/** The shortest check timeout of a simulated board. */
export const SHORTEST_LIMIT_MS = 10_000

/**
 * Simulates a check: it fails as often as planned, and then passes. A check ends when the process that started it ends.
 */
export async function check(
  kernel: Kernel,
  process: SimProcess,
  { fails, truth }: { fails: boolean; truth: RunTruth },
): Promise<number> {
  const parent = process.parent
  parent?.onEnd.push(
    () =>
      void (
        process.isAlive &&
        kernel.push(process, 'left alone', 1, () => kernel.end(process, { code: null, signal: 'SIGKILL' }))
      ),
  )
  const takesMs = kernel.random.duration(50, 20_000)
  // A check that takes longer than the shortest limit counts as failed in advance, because it may end at the same
  // moment as its time limit.
  truth.checkFailed ||= takesMs > SHORTEST_LIMIT_MS
  await pause(kernel, process, takesMs)
  if (fails) truth.checkFailed = true
  else truth.checkPassed = true
  return fails ? 1 : 0
}
