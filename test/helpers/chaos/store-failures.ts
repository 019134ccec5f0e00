/** Makes the store fail: replaces a SQLite file by an earlier copy, or cuts off a server just after a claim. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../places.ts'
import { STORE_FAILURES, count } from './chaos-board.ts'
import type { ChaosBoard } from './chaos-board.ts'

const SHORTEST_GAP_MS = 1_500
const LONGEST_GAP_MS = 5_000
const LOOK_MS = 50
/** The shortest duration of an outage. The longest outages last longer than the leases of runs and dispatchers. */
const SHORTEST_OUTAGE_MS = 300
const LONGEST_OUTAGE_MS = 6_000

export async function failStore(chaosBoard: ChaosBoard, engine: Engine, until: AbortSignal): Promise<void> {
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal: until }).catch(() => {})
  while (!until.aborted) {
    await pause(chaosBoard.random.between(SHORTEST_GAP_MS, LONGEST_GAP_MS))
    if (until.aborted) return
    const hasFailed =
      engine === 'sqlite' ? await replaceStore(chaosBoard, pause) : await cutOffClaim(chaosBoard, pause, until)
    if (hasFailed) count(chaosBoard.injected, STORE_FAILURES[engine])
  }
}

/** Restores a backup with force while runs are live. */
async function replaceStore(chaosBoard: ChaosBoard, pause: (ms: number) => Promise<void>): Promise<boolean> {
  const made = await runMuster(chaosBoard, 'backup', 'create', '--json')
  if (made.code !== 0) return false
  await pause(chaosBoard.random.between(200, LONGEST_GAP_MS))
  chaosBoard.restores += 1
  const { name } = JSON.parse(made.stdout) as { name: string }
  const { code, stderr } = await runMuster(chaosBoard, 'backup', 'restore', name, '--yes', '--force')
  if (code !== 0) chaosBoard.faults.add(`the restore of ${name} exited ${code}: ${stderr.slice(0, 500)}`)
  return code === 0
}

async function runMuster({ bin, env }: ChaosBoard, ...words: string[]) {
  const child = spawn(process.execPath, [bin, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  await once(child, 'close')
  return { code: child.exitCode, ...output }
}

/** Makes the server unreachable before the supervisor of a claimed run has registered. */
async function cutOffClaim(
  chaosBoard: ChaosBoard,
  pause: (ms: number) => Promise<void>,
  until: AbortSignal,
): Promise<boolean> {
  const { store, proxy, random } = chaosBoard
  const isClaimed = async (): Promise<boolean> =>
    (await store.openRuns(null)).some(({ kind, identity }) => kind === 'agent' && identity === null)
  while (!until.aborted && !(await isClaimed())) await pause(LOOK_MS)
  if (until.aborted) return false
  chaosBoard.lastOutageAt = Infinity
  proxy?.cut()
  await pause(random.duration(SHORTEST_OUTAGE_MS, LONGEST_OUTAGE_MS))
  proxy?.restore()
  chaosBoard.lastOutageAt = performance.now()
  return true
}
