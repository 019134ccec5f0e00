/** Checks the invariants again and again during the chaos test, and once more after all cards have finished. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunId } from '../../../src/core/ids.ts'
import { isCounted } from '../../../src/core/limits/retry.ts'
import type { Run } from '../../../src/core/run.ts'
import { linuxProcesses } from '../../../src/processes/linux-processes.ts'
import type { BoardState } from '../invariants.ts'
import { malformed, violations } from '../invariants.ts'
import { census } from './census.ts'
import type { ChaosBoard } from './chaos-board.ts'
import { MACHINE_CAP } from './chaos-board.ts'

const LOOK_MS = 1_000
/** The interval between two checks for workers. It is short, because a worker that outlives its run soon ends. */
const WORKER_CHECK_MS = 100
const ENDING_MS = 30_000

/** The whole store as rows, in one snapshot. */
export async function stateOf({ store }: Pick<ChaosBoard, 'store'>): Promise<BoardState> {
  const { board, task, run, link, event } = await store.exportAll()
  const rows = { boards: board, tasks: task, runs: run, links: link, events: event, now: await store.now() }
  return rows as unknown as BoardState // The cast is safe, because an export has the fields of the rows. The schemas are checked at the end.
}

export class Oracle {
  readonly #chaosBoard: ChaosBoard
  readonly #closed = new Map<string, string>()
  #epoch = ''
  looks = 0

  constructor(chaosBoard: ChaosBoard) {
    this.#chaosBoard = chaosBoard
  }

  async watch(until: AbortSignal): Promise<void> {
    await Promise.all([this.#compareRows(until), this.#compareWorkers(until)])
  }

  async #compareWorkers(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      this.#addFaults(await closedWhileAlive(this.#chaosBoard))
      await sleep(WORKER_CHECK_MS, undefined, { signal: until }).catch(() => {})
    }
  }

  async #compareRows(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      this.#addFaults(twoWorkers(this.#chaosBoard))
      const epoch = await this.#readEpoch()
      const state = await stateOf(this.#chaosBoard)
      // If a backup was restored between the two reads, the oracle checks the state next time.
      if (epoch === (await this.#readEpoch())) this.#check(state, epoch)
      await sleep(LOOK_MS, undefined, { signal: until }).catch(() => {})
    }
  }

  /** The final checks, after all cards have finished. */
  async conclude(): Promise<BoardState> {
    const state = await stateOf(this.#chaosBoard)
    this.#check(state, await this.#readEpoch())
    this.#addFaults(malformed(state))
    this.#addFaults(
      (await this.#chaosBoard.store.doctor()).map(({ rule, id, message }) => `doctor: ${rule} ${id}: ${message}`),
    )
    this.#addFaults(workerFaults(this.#chaosBoard))
    this.#addFaults(state.runs.flatMap((run) => this.#unexplained(run)))
    this.#addFaults(await leftBehind(this.#chaosBoard))
    return state
  }

  async #readEpoch(): Promise<string> {
    const { cursor } = await this.#chaosBoard.store.feed(null)
    return cursor.slice(0, cursor.indexOf(':'))
  }

  #check(state: BoardState, epoch: string): void {
    // A restored store does not contain runs that are newer than its backup.
    if (epoch !== this.#epoch) this.#closed.clear()
    this.#epoch = epoch
    this.looks += 1
    this.#addFaults(violations(state))
    this.#addFaults(state.runs.flatMap((run) => this.#changedAfterClose(run)))
    this.#addFaults(overCap(state.runs))
    this.#addFaults(countedTooOften(state))
  }

  #addFaults(faults: readonly string[]): void {
    for (const fault of faults) this.#chaosBoard.faults.add(fault)
  }

  /** Finds changes of closed runs. A closed run must never change. */
  #changedAfterClose(run: Run): string[] {
    if (run.endedAt === null) return []
    const text = JSON.stringify(run)
    const before = this.#closed.get(run.id)
    this.#closed.set(run.id, text)
    return before === undefined || before === text ? [] : [`${run.id} was closed and changed: ${before} → ${text}`]
  }

  /**
   * Finds outcomes without a cause. A run can fail only if its worker failed or received a signal. A run can complete
   * only if its worker reached its end.
   */
  #unexplained({ id, taskId, outcome, intent, error }: Run): string[] {
    const { stamps, hit, plans } = this.#chaosBoard
    const has = (what: string): boolean => existsSync(join(stamps, `${taskId}.${id}.${what}`))
    if (outcome === 'completed' && intent === null && !has('end'))
      return [`${id} is completed, but its worker did not reach its end`]
    const bad = outcome !== null && (isCounted(outcome) || outcome === 'protocol_violation' || outcome === 'stale')
    const excused = hit.has(id) || has('fails') || (outcome === 'timed_out' && plans.get(taskId)?.overtime === true)
    return bad && !excused ? [`${id} of ${taskId} is ${outcome}, but its processes got no signal: ${error}`] : []
  }
}

const overCap = (runs: readonly Run[]): string[] => {
  const open = runs.filter(({ endedAt, kind }) => endedAt === null && kind === 'agent').length
  return open > MACHINE_CAP ? [`${open} runs at a time exceed the cap of ${MACHINE_CAP}`] : []
}

/** Finds cards that count more failures than their runs had. */
function countedTooOften({ tasks, runs }: BoardState): string[] {
  const failures = new Map<string, number>()
  for (const { taskId, outcome } of runs)
    if (outcome !== null && isCounted(outcome)) failures.set(taskId, (failures.get(taskId) ?? 0) + 1)
  return tasks.flatMap(({ id, consecutiveFailures }) => {
    const most = failures.get(id) ?? 0
    return consecutiveFailures > most
      ? [`${id} counts ${consecutiveFailures} failures, but only ${most} of its runs failed`]
      : []
  })
}

/** The actor that closes the runs of a restored backup. */
const RESTORE = 'muster:restore'

interface Stamp {
  readonly card: string
  readonly run: RunId
  readonly pid: number
  readonly since: string
}

function readStamps(stamps: string): readonly Stamp[] {
  return readdirSync(stamps).flatMap((name) => {
    const found = /^(t_\w+)\.(r_\w+)\.(?:start|daemon)$/.exec(name)
    if (found === null) return []
    const [pid = '', since = ''] = readFileSync(join(stamps, name), 'utf8').trim().split(' ')
    return [{ card: found[1] ?? '', run: (found[2] ?? '') as RunId, pid: Number(pid), since }]
  })
}

const isAlive = ({ pid, since }: Stamp): boolean => {
  const found = pid > 0 ? linuxProcesses.read(pid) : null
  return found !== null && !found.zombie && found.startTime === since
}

/** Checks the first worker again after the second, which proves that both were alive at the same time. */
function twoWorkers({ stamps }: ChaosBoard): string[] {
  const living = readStamps(stamps).filter(isAlive)
  return living.flatMap((one) =>
    living
      .filter(
        (other) => other.card === one.card && other.run > one.run && isAlive(one) && isAlive(other) && isAlive(one),
      )
      .map((other) => `${one.card} has two live workers: ${one.run} (${one.pid}), ${other.run} (${other.pid})`),
  )
}

/**
 * Finds runs that were closed before their processes were gone, because then two workers of one card could live at
 * once. The only exception is a backup that is restored over live runs: the restore closes these runs at once, and
 * their cards wait until the workers are gone.
 */
async function closedWhileAlive({ stamps, store }: ChaosBoard): Promise<string[]> {
  const living = readStamps(stamps).filter(isAlive)
  const rows = await Promise.all(living.map(async (stamp) => ({ stamp, run: await store.run(stamp.run) })))
  const faults: string[] = []
  for (const { stamp, run } of rows)
    if (run !== null && run.endedAt !== null && isAlive(stamp) && !(await isClosedByRestore(store, run)))
      faults.push(`${run.id} of ${stamp.card} was closed (${run.outcome}) while its worker lived: ${run.error}`)
  return faults
}

async function isClosedByRestore(store: ChaosBoard['store'], { board, taskId, id }: Run): Promise<boolean> {
  const events = await store.taskEvents(board, taskId)
  return events.some(({ runId, actor }) => runId === id && actor === RESTORE)
}

/** Returns the violations that the workers recorded. */
const workerFaults = ({ stamps }: ChaosBoard): string[] =>
  readdirSync(stamps)
    .filter((name) => name.startsWith('fault.'))
    .map((name) => readFileSync(join(stamps, name), 'utf8').trim())

/**
 * Returns the processes that are still alive after `ENDING_MS`. A supervisor that has just settled its run needs a
 * moment to end.
 */
async function leftBehind(chaosBoard: ChaosBoard): Promise<string[]> {
  const deadline = performance.now() + ENDING_MS
  while (census(chaosBoard).length > 0 && performance.now() < deadline) await sleep(100)
  return census(chaosBoard).map(
    ({ target, pid, run }) => `a ${target} is left behind: pid ${pid}${run === null ? '' : ` of ${run}`}`,
  )
}
