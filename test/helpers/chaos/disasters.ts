/** What befalls the store itself: a file is replaced by an earlier copy, a server goes away when a card was claimed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../places.ts'
import { DISASTERS, count } from './scene.ts'
import type { Scene } from './scene.ts'

const SHORTEST_GAP_MS = 1_500
const LONGEST_GAP_MS = 5_000
const LOOK_MS = 50
/** From a hiccup to well beyond the lease of a run and of a dispatcher. */
const SHORTEST_OUTAGE_MS = 300
const LONGEST_OUTAGE_MS = 6_000

export async function strikeStore(scene: Scene, engine: Engine, until: AbortSignal): Promise<void> {
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal: until }).catch(() => {})
  while (!until.aborted) {
    await pause(scene.random.between(SHORTEST_GAP_MS, LONGEST_GAP_MS))
    if (until.aborted) return
    const struck = engine === 'sqlite' ? await replaceStore(scene, pause) : await cutOffClaim(scene, pause, until)
    if (struck) count(scene.blows, DISASTERS[engine])
  }
}

/** As somebody who insists on a restore, whatever runs. */
async function replaceStore(scene: Scene, pause: (ms: number) => Promise<void>): Promise<boolean> {
  const made = await type(scene, 'backup', 'create', '--json')
  if (made.code !== 0) return false
  await pause(scene.random.between(200, LONGEST_GAP_MS))
  scene.restores += 1
  const { name } = JSON.parse(made.stdout) as { name: string }
  const { code, stderr } = await type(scene, 'backup', 'restore', name, '--yes', '--force')
  if (code !== 0) scene.faults.add(`the restore of ${name} exited ${code}: ${stderr.slice(0, 500)}`)
  return code === 0
}

async function type({ bin, env }: Scene, ...words: string[]) {
  const child = spawn(process.execPath, [bin, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()))
  await once(child, 'close')
  return { code: child.exitCode, ...said }
}

/** The server is out of reach before the supervisor of a claimed run has registered. */
async function cutOffClaim(scene: Scene, pause: (ms: number) => Promise<void>, until: AbortSignal): Promise<boolean> {
  const { store, proxy, random } = scene
  const isClaimed = async (): Promise<boolean> =>
    (await store.openRuns(null)).some(({ kind, identity }) => kind === 'agent' && identity === null)
  while (!until.aborted && !(await isClaimed())) await pause(LOOK_MS)
  if (until.aborted) return false
  scene.lastOutageAt = Infinity
  proxy?.cut()
  await pause(random.duration(SHORTEST_OUTAGE_MS, LONGEST_OUTAGE_MS))
  proxy?.restore()
  scene.lastOutageAt = performance.now()
  return true
}
