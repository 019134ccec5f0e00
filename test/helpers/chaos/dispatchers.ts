/**
 * Keeps two dispatchers running on one machine, so that one of them can take over. On PostgreSQL, a third dispatcher
 * runs on a second machine with the same id. A dispatcher that ends without a signal is a violation, unless its error
 * names the other machine.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { SHARED_ID, count, machinesOf } from './chaos-board.ts'
import type { Machine, ChaosBoard } from './chaos-board.ts'

const LONGEST_GAP_MS = 500
const TRY_LATER = 75
const TAKEN = 4
/** The exit codes of a single pass: success, another dispatcher is active, or the store is busy or unreachable. */
const PASS_EXITS: readonly (number | null)[] = [0, TAKEN, TRY_LATER]

export interface Dispatchers {
  /** Stops all dispatchers and starts no more. */
  stop(): Promise<void>
  pids(): readonly number[]
}

export function keepDispatchers(chaosBoard: ChaosBoard): Dispatchers {
  const living = new Set<ChildProcess>()
  const stopping = new AbortController()
  const keepOne = async (machine: Machine): Promise<void> => {
    while (!stopping.signal.aborted) {
      await follow(chaosBoard, machine, { living, stopping: stopping.signal })
      await sleep(chaosBoard.random.between(0, LONGEST_GAP_MS), undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const kept = [chaosBoard, ...machinesOf(chaosBoard)].map(keepOne)
  return {
    pids: () => [...living].flatMap(({ pid }) => pid ?? []),
    async stop() {
      stopping.abort()
      for (const child of living) child.kill('SIGTERM')
      const deaf = setTimeout(() => {
        for (const child of living) {
          chaosBoard.faults.add(`dispatcher ${child.pid} did not exit after SIGTERM`)
          child.kill('SIGKILL')
        }
      }, 10_000)
      await Promise.all(kept)
      clearTimeout(deaf)
    },
  }
}

/** Starts one dispatcher and waits until it ends. */
async function follow(
  chaosBoard: ChaosBoard,
  machine: Machine,
  { living, stopping }: { living: Set<ChildProcess>; stopping: AbortSignal },
): Promise<void> {
  const startedAt = performance.now()
  const verb = chaosBoard.passesOnly ? 'dispatch' : 'up'
  const child = spawn(process.execPath, [chaosBoard.bin, verb], {
    env: machine.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-2_000)))
  living.add(child)
  await once(child, 'close')
  living.delete(child)
  const { exitCode, signalCode } = child
  if (signalCode === 'SIGKILL' || (stopping.aborted && exitCode === 0)) return
  // The signal SIGTERM arrived before the dispatcher had installed its handler.
  if (stopping.aborted && signalCode === 'SIGTERM') return
  if (exitCode === TAKEN && namesOther(chaosBoard, machine, stderr)) return count(chaosBoard.injected, SHARED_ID)
  if (chaosBoard.passesOnly && PASS_EXITS.includes(exitCode)) return
  // The server was unreachable while the dispatcher opened the store.
  if (exitCode === TRY_LATER && chaosBoard.lastOutageAt >= startedAt) return
  chaosBoard.faults.add(`dispatcher ${child.pid} ended without a signal (${signalCode ?? exitCode}): ${stderr.trim()}`)
}

/** Whether the error names the other machine with the same id. */
const namesOther = (chaosBoard: ChaosBoard, { home }: Machine, stderr: string): boolean =>
  /\buses? the id\b/.test(stderr) &&
  machinesOf(chaosBoard).some((one) => one.home !== home && stderr.includes(one.hostname))
