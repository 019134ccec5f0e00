/**
 * Runs the real binary with its own data folder, on either engine. When a test ends, its commands, supervisors and the
 * processes of their runs are ended too. Commands that prepare or inspect a test (`create`, `show`, `dispatch`,
 * `runInline`) run inside the test process, which takes a tenth of the time.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, inject, onTestFinished } from 'vitest'
import type { World } from '../../src/cli/world.ts'
import type { BoardSettings } from '../../src/core/board.ts'
import { unwrap } from '../../src/core/command.ts'
import type { TaskId } from '../../src/core/ids.ts'
import type { Run } from '../../src/core/run.ts'
import { makeDispatchPort } from '../../src/dispatcher/port.ts'
import type { DispatchReport } from '../../src/operations/machine/views.ts'
import type { TaskDetails } from '../../src/operations/shared/views.ts'
import { parseLocation } from '../../src/storage/location.ts'
import { openStore } from '../../src/storage/open.ts'
import { connectClient } from '../../src/storage/postgres/client.ts'
import type { Store, TaskView } from '../../src/storage/store.ts'
import { makeCheckPort } from '../../src/supervisor/checks/port.ts'
import { isAlive, thisHost } from '../../src/processes/identity.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import type { RunDirectory } from '../../src/runs/files/run-directory.ts'
import { terminateGroup } from '../../src/processes/terminate.ts'
import { waitUntil } from '../../src/processes/wait-until.ts'
import { readLeader } from '../../src/runs/wrapper.ts'
import { WORLD_VARIABLE } from './altered-system.ts'
import { runLine } from './run-line.ts'
import type { WhenOver } from './when-over.ts'
import { placeHome } from './store-template.ts'
import { testSchema } from './stores.ts'
import { isThroughUrl, ThroughUrl } from './through-url.ts'
import type { Engine } from './stores.ts'

export const BIN = fileURLToPath(new URL('../../dist/bin.js', import.meta.url))
/** The path of the build whose system a test can alter (altered-system.ts). */
export const TEST_BIN = fileURLToPath(new URL('../../dist-test/bin.js', import.meta.url))

const host = thisHost()
const PATIENCE_MS = 60_000
const BRISK = { terminateGraceMs: 200, killWaitMs: 5_000 }

interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  readonly output: () => string
  readonly ended: Promise<CliResult>
}

export interface TestHome {
  readonly home: string
  readonly env: NodeJS.ProcessEnv
  /** Runs a command to its end, as a new process. */
  muster(...args: string[]): Promise<CliResult>
  /**
   * Runs a command to its end in the test process. This is only for commands that prepare a test, not for the command
   * under test.
   */
  runInline(...args: string[]): Promise<CliResult>
  /** Starts a command that keeps running. */
  start(args: readonly string[], how?: { stdin?: string; env?: NodeJS.ProcessEnv }): Running
  create(title: string, ...flags: string[]): Promise<TaskView>
  show(id: TaskId): Promise<TaskDetails>
  /** Runs one pass in the test process. A test that kills or observes a dispatcher must use `start`. */
  dispatch(...flags: string[]): Promise<DispatchReport>
  /** Opens the store directly, without the binary. */
  store(): Promise<Store>
  setBoard(settings: Partial<BoardSettings>): Promise<void>
  workspace(id: TaskId, file: string): string
  /**
   * Waits until `look` returns a value. The function `look` is called after every change of the store and every 100 ms.
   */
  until<T>(what: string, look: () => T | null | false | Promise<T | null | false>): Promise<T>
  /** Returns the card's only open run, when its supervisor has registered. */
  liveRun(id: TaskId): Promise<LiveRun>
}

interface LiveRun {
  readonly run: Run
  readonly supervisor: number
  readonly directory: RunDirectory
}

interface HomeOptions {
  /** The id of the machine that has this data folder. The default is the machine of the tests. */
  readonly machine?: string
}

/** Makes a data folder that is deleted after the test, or after the group of tests that share it. */
export function makeTestHome(
  engine: Engine,
  whenOver: WhenOver = onTestFinished,
  { machine }: HomeOptions = {},
): TestHome {
  const home = join(mkdtempSync(join(tmpdir(), 'muster-home-')), 'home')
  if (machine !== undefined) {
    mkdirSync(home, { mode: 0o700 })
    writeFileSync(join(home, 'machine-id'), `${machine}\n`, { mode: 0o600 })
  }
  const schema = engine === 'postgres' ? testSchema() : null
  const location = schema === null ? join(home, 'muster.db') : withSchema(inject('postgresUrl'), schema)
  const { NODE_EXTRA_CA_CERTS: _, MUSTER_RUN: __, ...inherited } = process.env
  const env: NodeJS.ProcessEnv = {
    ...inherited,
    MUSTER_HOME: home,
    MUSTER_USER: 'tester',
    MUSTER_TERMINATE_GRACE_MS: String(BRISK.terminateGraceMs),
    ...(schema === null ? {} : { MUSTER_STORE: location }),
  }
  const started: Running[] = []
  let opened: Store | null = null

  const start: TestHome['start'] = (args, how = {}) => {
    const running = startCli(args, { ...env, ...how.env }, how.stdin)
    started.push(running)
    return running
  }
  const muster = (...args: string[]): Promise<CliResult> => start(args).ended
  // If the system is altered, the command runs as a process of the test build, because only the test build sees the
  // changes.
  const runInline = (...args: string[]): Promise<CliResult> => {
    if (WORLD_VARIABLE in env) return muster(...args)
    const run = (): Promise<CliResult> => runLine(args, env, { world: workersOf(env) })
    return machine === undefined ? run() : withOwnHome(home, run)
  }
  // Only `create` below calls this function, because some tests check how the first command makes the data folder.
  const placeHomeIfMissing = async (): Promise<void> => {
    if (schema === null && !existsSync(home)) await placeHome(home, env)
  }
  const store = async (): Promise<Store> => (opened ??= await openStore(parseLocation(location), { mode: 'write' }))
  const until: TestHome['until'] = async (what, look) => {
    const found = await waitUntil(await store(), async () => (await look()) || null, {
      forMs: PATIENCE_MS,
      everyMs: 100,
    })
    if (found === null) throw new Error(`timed out waiting until ${what}`)
    return found
  }

  whenOver(async () => {
    for (const { child } of started) child.kill('SIGKILL')
    await Promise.all(started.map(({ ended }) => ended))
    await endRuns(location)
    // The store is closed without the garbage collection of a normal close, which is slow. Its file is deleted next.
    await opened?.close({ exiting: true })
    if (schema !== null) await dropSchema(inject('postgresUrl'), schema)
    await removeTree(join(home, '..'))
  })

  return {
    home,
    env,
    muster,
    runInline,
    start,
    create: async (title, ...flags) => {
      await placeHomeIfMissing()
      return valueOf(await runInline('create', title, ...flags, '--json'))
    },
    show: async (id) => valueOf(await runInline('show', id, '--json')),
    // With --wait, exit code 1 means that a run failed, which many tests expect.
    dispatch: async (...flags) => {
      const answer = await runInline('dispatch', ...flags, '--json')
      return valueOf(answer.stdout === '' ? answer : { ...answer, code: 0 })
    },
    store,
    until,
    setBoard: async (settings) => {
      const actor = { kind: 'person', name: 'tester' } as const
      unwrap(await (await store()).decide({ verb: 'set_board', board: 'default', actor, input: { settings } }))
    },
    workspace: (id, file) => join(home, 'boards', 'default', 'workspaces', id, file),
    liveRun: (id) =>
      until(`${id} has a live run`, async () => {
        const [run] = (await (await store()).openRuns(null)).filter(({ taskId }) => taskId === id)
        if (run?.identity == null || run.logPath === null) return null
        return { run, supervisor: run.identity.pid, directory: runDirectoryAt(join(run.logPath, '..')) }
      }),
  }
}

/** Runs `work` in a process with this data folder, in which the id of the machine is stored. */
async function withOwnHome<T>(home: string, work: () => Promise<T>): Promise<T> {
  const before = process.env['MUSTER_HOME']
  process.env['MUSTER_HOME'] = home
  try {
    return await work()
  } finally {
    if (before === undefined) delete process.env['MUSTER_HOME']
    else process.env['MUSTER_HOME'] = before
  }
}

/**
 * The parts of the world that start supervisors. Supervisors still run as separate processes, started from the built
 * file.
 */
function workersOf(env: NodeJS.ProcessEnv): Pick<World, 'checker' | 'dispatcher'> {
  const program = { env, supervisorPath: join(BIN, '../supervisor.js') }
  return { checker: async () => makeCheckPort(program), dispatcher: async () => makeDispatchPort(program) }
}

function valueOf<T>({ code, stdout, stderr }: CliResult): T {
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`)
  return JSON.parse(stdout) as T
}

/**
 * Makes a home for tests of commands. On SQLite the first use of each command in a test file runs in the real binary,
 * and all others run in the test process, which takes a tenth of the time. `npm run prove -- binary` runs all of them
 * in the real binary. On PostgreSQL only the store differs, so all run in the test process. `npm run prove -- remote`
 * sends them through a server.
 */
export function makeCommandHome(engine: Engine): TestHome {
  const home = makeTestHome(engine)
  if (isThroughUrl) return throughServer(home)
  const isInBinary = (args: readonly string[]): boolean =>
    engine === 'sqlite' && (process.env['MUSTER_TEST_BINARY'] === 'all' || isFirstUse(args))
  return { ...home, muster: (...args) => (isInBinary(args) ? home.muster(...args) : home.runInline(...args)) }
}

/** The commands that a test file has used, by its path. */
const used = new Map<string, Set<string>>()

function isFirstUse([command = '', next = '']: readonly string[]): boolean {
  const { testPath = '' } = expect.getState()
  const known = used.get(testPath) ?? new Set()
  used.set(testPath, known)
  // `boards set` and `pause agent` are other commands than `boards` and `pause`.
  const name = /^[a-z-]+$/.test(next) ? `${command} ${next}` : command
  const isFirst = !known.has(name)
  known.add(name)
  return isFirst
}

/** The server and its token exist from the first card on, so that a test does not notice them as changes. */
function throughServer(home: TestHome): TestHome {
  const { env } = home
  const through = new ThroughUrl(onTestFinished, workersOf(env))
  return {
    ...home,
    create: async (...flags) => {
      const card = await home.create(...flags)
      await through.prepare(env)
      return card
    },
    muster: async (...args) => {
      const variables = await through.variablesFor(args, env)
      const answer = await runLine(args, { ...env, ...variables }, { world: workersOf(env) })
      await through.prepare(env)
      return answer
    },
  }
}

function startCli(args: readonly string[], env: NodeJS.ProcessEnv, stdin?: string): Running {
  const child = spawn(process.execPath, [WORLD_VARIABLE in env ? TEST_BIN : BIN, ...args], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  // The error is ignored, because a program may exit before it has read its input, and the test checks the exit code.
  child.stdin.on('error', () => {})
  child.stdin.end(stdin ?? '')
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, stdout, stderr }))
  return { child, ended, output: () => stdout + stderr }
}

function withSchema(url: string, schema: string): string {
  const full = new URL(url)
  full.searchParams.set('schema', schema)
  return full.toString()
}

/**
 * Ends supervisors before agents, because a live supervisor would start its agent again. Each pid is checked before the
 * signal.
 */
async function endRuns(location: string): Promise<void> {
  const store = await openStore(parseLocation(location), { mode: 'read' }).catch(() => null)
  if (store === null) return
  try {
    // Waits until each supervisor has registered, because a supervisor that is still starting would not be found.
    const registered = async (): Promise<readonly Run[] | null> => {
      const runs = await store.openRuns(null)
      return runs.every(({ identity, kind }) => identity !== null || kind === 'manual') ? runs : null
    }
    const known = await waitUntil(store, registered, { forMs: 20_000, everyMs: 50 })
    for (const run of known ?? (await store.openRuns(null))) {
      if (run.identity === null || run.logPath === null) continue
      if (isAlive(host, run.identity)) process.kill(run.identity.pid, 'SIGKILL')
      const fence = { runId: run.id, tokenHash: run.tokenHash ?? '' }
      const leader = await readLeader(runDirectoryAt(join(run.logPath, '..')), fence)
      const left = await terminateGroup(host.processes, { run: run.id, leader }, BRISK)
      if (left.length > 0) throw new Error(`processes left behind: ${left.map(({ pid }) => pid).join(', ')}`)
    }
  } finally {
    await store.close({ exiting: true })
  }
}

/**
 * Deletes the folder. This is tried several times, because the supervisor of a closed run may still write into the
 * folder.
 */
async function removeTree(path: string): Promise<void> {
  for (let left = 100; ; left -= 1) {
    try {
      return rmSync(path, { recursive: true, force: true })
    } catch (error) {
      if (left === 0 || (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
      await sleep(50)
    }
  }
}

async function dropSchema(url: string, schema: string): Promise<void> {
  const client = connectClient({ url, schema, connections: 1, readOnly: false })
  await client.unsafe(`drop schema if exists ${schema} cascade`)
  await client.end()
}

export const appeared = (path: string): boolean => existsSync(path)

export const isLiving = (run: Run): boolean => run.identity !== null && isAlive(host, run.identity)
