/**
 * The chaos test: real dispatchers, supervisors, wrappers and workers on one store, while people run commands and all
 * processes get random `kill -9` and SIGSTOP signals. On PostgreSQL, a second machine with the same id takes part. The
 * oracle checks the invariants all the time. After the last signal, the board must finish its cards without a person,
 * with nothing lost, nothing run twice and no process left behind.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { BoardSettings } from '../../../src/core/board.ts'
import { DEFAULT_BOARD } from '../../../src/core/ids.ts'
import type { StoreLocation } from '../../../src/storage/location.ts'
import { WORLD_VARIABLE } from '../altered-system.ts'
import type { BoardState } from '../invariants.ts'
import { startOutageProxy } from '../outage-proxy.ts'
import { withPlace } from '../places.ts'
import type { Engine } from '../places.ts'
import { childEnvironment } from '../processes.ts'
import { decide } from '../proofs/proof.ts'
import { SignalSender } from './signals.ts'
import { failStore } from './store-failures.ts'
import { census, signal } from './census.ts'
import { keepDispatchers } from './dispatchers.ts'
import { Oracle } from './oracle.ts'
import { actRandomly } from './people.ts'
import { Random } from '../random.ts'
import { readFeed } from './reader.ts'
import { waitUntilFinished } from './unfinished.ts'
import { MACHINE_CAP, kindsOn } from './chaos-board.ts'
import type { Machine, ChaosBoard } from './chaos-board.ts'
import { workerScript } from './worker-script.ts'

export interface ChaosOptions {
  readonly engine: Engine
  readonly postgresUrl: string
  readonly seed: number
  /** The time for which signals and outages are injected. */
  readonly injectMs: number
  /** The time in which the board must finish its cards after the last signal. */
  readonly restMs: number
  /** The average time between two signals. */
  readonly everyMs: number
  /** The built program. */
  readonly bin?: string
  /** The signal that ends the test early and cleans up. */
  readonly signal?: AbortSignal
}

export interface ChaosReport extends Pick<ChaosBoard, 'injected' | 'verbs' | 'passesOnly'> {
  readonly engine: Engine
  readonly seed: number
  readonly cards: number
  readonly outcomes: ReadonlyMap<string, number>
  readonly looks: number
  readonly faults: readonly string[]
}

const ADA = { kind: 'person', name: 'ada' } as const
/** The path of the test build, in which each machine has its own boot id (altered-system.ts). */
const BIN = fileURLToPath(new URL('../../../dist-test/bin.js', import.meta.url))

/**
 * The settings of the board. A killed worker counts as a failure, so the limits are too high for the board to give up a
 * card.
 */
const SETTINGS: Partial<BoardSettings> = {
  failureLimit: 100_000,
  protocolLimit: 100_000,
  attemptsLimit: 100_000,
  blockLoopLimit: 100_000,
  burstLimit: 100_000,
  retryBaseMs: 20,
  retryMaxMs: 100,
  rateLimitBaseMs: 50,
  rateLimitMaxMs: 200,
  successGuardMs: 0,
  startDeadlineMs: 8_000,
  leaseMs: 3_000,
}

const QUICK = {
  MUSTER_MACHINE_CAP: String(MACHINE_CAP),
  MUSTER_DISPATCHER_LEASE_MS: '2000',
  MUSTER_SWEEP_MS: '300',
  MUSTER_TERMINATE_GRACE_MS: '300',
  MUSTER_KILL_WAIT_MS: '2000',
  MUSTER_INTENT_WAIT_MS: '2000',
}

export const runChaos = (options: ChaosOptions): Promise<ChaosReport> =>
  withPlace(options.engine, options.postgresUrl, async (location, store) => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-chaos-'))
    const proxy = location.engine === 'postgres' ? await startOutageProxy(location.url) : null
    try {
      // The dispatcher registers on the board `default`, so this board must exist.
      await store.decide({ verb: 'create_board', board: DEFAULT_BOARD, actor: ADA, input: { slug: DEFAULT_BOARD } })
      await decide(store, 'set_board', { settings: SETTINGS })
      return await runTest(makeChaosBoard(folder, { location, store, proxy }, options), options)
    } finally {
      proxy?.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  })

interface Place extends Pick<ChaosBoard, 'store' | 'proxy'> {
  readonly location: StoreLocation
}

function makeChaosBoard(
  folder: string,
  { location, store, proxy }: Place,
  { seed, bin = BIN }: ChaosOptions,
): ChaosBoard {
  // A SQLite store is in the data folder, as on the machine of a user.
  const home = location.engine === 'sqlite' ? dirname(location.path) : join(folder, 'home')
  const stamps = join(folder, 'stamps')
  const script = join(folder, 'worker.sh')
  mkdirSync(stamps)
  writeFileSync(script, workerScript({ stamps, program: [process.execPath, bin] }))
  const { MUSTER_RUN: _, ...inherited } = childEnvironment()
  const env = { ...inherited, ...QUICK, MUSTER_USER: 'ada', ...storeVariable(location, proxy) }
  const random = new Random(seed)
  return {
    ...makeMachine('first', { folder, home, env }),
    twin: location.engine === 'sqlite' ? null : makeMachine('second', { folder, home: join(folder, 'second'), env }),
    stamps,
    script,
    bin,
    store,
    proxy,
    passesOnly: random.chance(0.35),
    random,
    plans: new Map(),
    hit: new Set(),
    injected: new Map(),
    verbs: new Map(),
    faults: new Set(),
    restores: 0,
    lastOutageAt: -Infinity,
  }
}

/** Makes a machine. All machines have the same id, but each has its own boot id. */
function makeMachine(hostname: string, { folder, home, env }: { folder: string; home: string; env: object }): Machine {
  const world = join(folder, `${hostname}.json`)
  writeFileSync(world, JSON.stringify({ systemId: 'copied', bootId: `boot of ${hostname}`, hostname }))
  return { home, hostname, env: { ...env, MUSTER_HOME: home, [WORLD_VARIABLE]: world } }
}

function storeVariable(location: StoreLocation, proxy: ChaosBoard['proxy']): { MUSTER_STORE?: string } {
  if (location.engine === 'sqlite') return {}
  const url = new URL(proxy?.url ?? location.url)
  url.searchParams.set('schema', location.schema)
  return { MUSTER_STORE: url.toString() }
}

async function runTest(chaosBoard: ChaosBoard, options: ChaosOptions): Promise<ChaosReport> {
  const injecting = new AbortController()
  const watch = new AbortController()
  const oracle = new Oracle(chaosBoard)
  const signals = new SignalSender(chaosBoard)
  const dispatchers = keepDispatchers(chaosBoard)
  const reader = await readFeed(chaosBoard)
  const watching = oracle.watch(watch.signal)
  let state: BoardState
  try {
    const busy = [
      actRandomly(chaosBoard, injecting.signal),
      signals.sendRandomly(options.everyMs, injecting.signal),
      failStore(chaosBoard, options.engine, injecting.signal),
    ]
    await Promise.race([waitForInjections(chaosBoard, options), Promise.all(busy), watching])
    injecting.abort()
    await Promise.all(busy)
    signals.wakeAll()
    await waitUntilFinished(chaosBoard, options.restMs)
  } finally {
    injecting.abort()
    watch.abort()
    signals.wakeAll()
    await dispatchers.stop()
    await watching
    state = await oracle.conclude()
    for (const fault of await reader.conclude(state.events)) chaosBoard.faults.add(fault)
    endAll(chaosBoard)
  }
  return report(chaosBoard, options, { state, looks: oracle.looks })
}

/** Waits `injectMs`, and on a busy machine up to four times as long, until each kind was injected at least once. */
async function waitForInjections({ injected }: ChaosBoard, { engine, injectMs, signal }: ChaosOptions): Promise<void> {
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, signal && { signal })
  await pause(injectMs)
  for (let more = 0; injected.size < kindsOn(engine).length && more < 3 * injectMs; more += 250) await pause(250)
}

/** Ends every process of the test, even if the test failed. */
function endAll(chaosBoard: ChaosBoard): void {
  for (const target of ['supervisor', 'wrapper', 'worker', 'dispatcher'] as const)
    for (const actor of census(chaosBoard)) if (actor.target === target) signal(actor, 'SIGKILL')
}

function report(
  { injected, verbs, faults, passesOnly }: ChaosBoard,
  { engine, seed }: ChaosOptions,
  { state, looks }: { state: BoardState; looks: number },
): ChaosReport {
  const outcomes = new Map<string, number>()
  for (const { outcome } of state.runs) outcomes.set(outcome ?? 'open', (outcomes.get(outcome ?? 'open') ?? 0) + 1)
  const missing = kindsOn(engine).filter((kind) => !injected.has(kind))
  const all = [...faults, ...missing.map((kind) => `${kind}: never injected`)]
  return { engine, seed, passesOnly, cards: state.tasks.length, outcomes, looks, injected, verbs, faults: all }
}
