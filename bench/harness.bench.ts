/**
 * Measures how soon an agent of a ready card sends its first request to the model, compared with the same program
 * started by hand with the same arguments, environment and files. Also measures the memory that a long stream costs the
 * supervisor. MUSTER_AGENT_CLIS selects the real CLIs; without it, a stand-in takes as long to start as the fastest of
 * them. Linux only.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TaskId } from '../src/core/ids.ts'
import { newTaskId } from '../src/util/mint.ts'
import { runDirectoryAt } from '../src/runs/files/run-directory.ts'
import { waitUntil } from '../src/processes/wait-until.ts'
import { readLeader } from '../src/runs/wrapper.ts'
import { CLIS, findClis } from '../test/real-clis/clis.ts'
import type { Cli } from '../test/real-clis/clis.ts'
import type { ModelReply } from '../test/real-clis/dialects/dialect.ts'
import { startModel } from '../test/real-clis/model-server.ts'
import { SETUPS, setUp } from '../test/real-clis/users.ts'
import { info, median, ratio } from './report.ts'
import { startUp } from './programs/up.ts'
import type { Up } from './programs/up.ts'

const STAND_IN = fileURLToPath(new URL('programs/stand-in.mjs', import.meta.url))
const REPLAY = fileURLToPath(new URL('../test/fixtures/clis/replay.mjs', import.meta.url))
const ROUNDS = 5
const PATIENCE = { forMs: 120_000, everyMs: 50 }
const MB = 1024 ** 2

export async function benchHarness(): Promise<void> {
  if (process.platform !== 'linux') return info('harness was not run: it needs /proc')
  const named = process.env['MUSTER_AGENT_CLIS']
  const bin = named === undefined ? null : await findClis(CLIS, { named, temporary: '', signal: AbortSignal.abort() })
  if (bin === null) info('harness-start: MUSTER_AGENT_CLIS is not set, so a stand-in replaces the agent CLIs')
  for (const cli of bin === null ? (['codex'] as const) : CLIS) await measureStart(cli, bin)
  await measureStream()
}

/** The command line and environment with which a program was started for a card. */
interface Command {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly stdin: string
  /** The file that describes the tools of the program. */
  readonly mcp: string
}

async function measureStart(cli: Cli, bin: string | null): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  const asked = await startModelStub()
  const user = join(folder, 'user')
  const setup = SETUPS[cli](asked.url, user)
  setUp(user, setup)
  const up = await startUp({
    PATH: [bin ?? standIn(folder, cli), process.env['PATH']].join(delimiter),
    HOME: user,
    MODEL_URL: `${asked.url}/v1/responses`,
    ...setup.env,
  })
  try {
    const passed = [...Object.keys(setup.env), ...(bin === null ? ['MODEL_URL'] : [])]
    addAgent(up, 'coder', `harness: ${cli}\npermissions: full\nenv: [${passed.join(', ')}]`)
    const { board, hand } = await timeStarts(up, asked)
    ratio(`harness-start-${cli}`, board / hand, '<=1.5')
    info(
      `${cli}${bin === null ? ' (a stand-in)' : ''}: ${board.toFixed(0)} ms from a ready card to the first request to ` +
        `the model, ${hand.toFixed(0)} ms by hand`,
    )
  } finally {
    await up.stop()
    await asked.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** A model that reports each request. It completes the card, unless the program was started by hand. */
interface ModelStub {
  readonly url: string
  /** The time of the next request. */
  next(): Promise<number>
  /** Runs `work` while the model completes no card, because a program started by hand has no card. */
  byHand<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

async function startModelStub(): Promise<ModelStub> {
  let heard = (): void => {}
  let isByHand = false
  let calls = 0
  const model = await startModel((asked): ModelReply => {
    heard()
    if (isByHand || asked.tools.length === 0) return { text: 'ok' }
    calls += 1
    return calls % 2 === 1 ? { tool: 'kanban_complete', input: { summary: 'did it' } } : { text: 'done' }
  })
  return {
    url: model.url,
    next: () =>
      new Promise((resolve) => {
        heard = () => resolve(performance.now())
      }),
    byHand: async (work) => {
      isByHand = true
      try {
        return await work()
      } finally {
        isByHand = false
      }
    },
    close: () => model.close(),
  }
}

/** The median time to the first request from a ready card and by hand, measured alternately. */
async function timeStarts(up: Up, asked: ModelStub): Promise<{ readonly board: number; readonly hand: number }> {
  const sleeper = await startSleeper(up)
  const times: { board: number[]; hand: number[] } = { board: [], hand: [] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    const first = asked.next()
    const started = performance.now()
    const id = await addCard(up)
    const board = (await first) - started
    const command = await commandOf(up, id)
    await isOver(up, id)
    const hand = await asked.byHand(() => startByHand(withToolsOf(sleeper.mcp, command), asked.next()))
    // The first round is not counted, because it only fills caches.
    if (round === 0) continue
    times.board.push(board)
    times.hand.push(hand)
  }
  await sleeper.stop()
  return { board: median(times.board), hand: median(times.hand) }
}

function standIn(folder: string, cli: Cli): string {
  const programs = join(folder, 'bin')
  mkdirSync(programs)
  chmodSync(STAND_IN, 0o755)
  symlinkSync(STAND_IN, join(programs, cli))
  return programs
}

function addAgent(up: Up, name: string, front: string): void {
  const agents = join(up.home, 'agents')
  mkdirSync(agents, { recursive: true })
  writeFileSync(join(agents, `${name}.md`), `---\n${front}\n---\nWork.\n`)
}

async function addCard(up: Up, assignee = 'coder'): Promise<TaskId> {
  const id = newTaskId()
  await up.decide('create', { cards: [{ id, title: 'a card', assignee, body: 'A typical body.' }] })
  return id
}

/** Starts a run that stays alive, because tool calls of an ended run would fail and be repeated. */
async function startSleeper(up: Up): Promise<{ mcp: string; stop(): Promise<void> }> {
  addAgent(up, 'sleeper', 'harness: command\nargs: [sh, -c, "exec sleep 3600", "{mcp}"]')
  const id = await addCard(up, 'sleeper')
  const found = async () => {
    const [run] = await up.store.openRuns(null)
    const mcp = run?.logPath == null ? null : runDirectoryAt(join(run.logPath, '..')).mcp
    return mcp !== null && existsSync(mcp) && run?.identity != null ? { mcp, pid: run.identity.pid } : null
  }
  const live = await waitUntil(up.store, found, PATIENCE)
  if (live === null) throw new Error('the run did not start')
  return { mcp: live.mcp, stop: () => stopRun(up, id, live.pid) }
}

async function stopRun(up: Up, id: TaskId, supervisor: number): Promise<void> {
  // The hold keeps the card from starting again.
  await up.decide('hold', { task: id })
  process.kill(supervisor, 'SIGTERM')
  await waitUntil(up.store, async () => (await up.store.openRuns(null)).length === 0 || null, PATIENCE)
}

/** Replaces the tools of a command by those of a live run. Gemini reads its tools from the home folder of the run. */
function withToolsOf(live: string, { argv, env, mcp, ...rest }: Command): Command {
  const told = (text: string): string => text.replaceAll(mcp, live)
  const settings = join(env['GEMINI_CLI_HOME'] ?? '', '.gemini', 'settings.json')
  if (env['GEMINI_CLI_HOME'] !== undefined) writeFileSync(settings, told(readFileSync(settings, 'utf8')))
  const changed = Object.entries(env).map(([name, value]) => [name, told(value)] as const)
  return { ...rest, mcp: live, argv: argv.map(told), env: Object.fromEntries(changed) }
}

/** Reads the command from the arguments and environment of the wrapper that the supervisor started. */
async function commandOf(up: Up, id: TaskId): Promise<Command> {
  const [run] = await up.store.runs('default', id)
  if (run?.logPath == null) throw new Error('the run does not exist')
  const directory = runDirectoryAt(join(run.logPath, '..'))
  const leader = await readLeader(directory, { runId: run.id, tokenHash: run.tokenHash ?? '' })
  const parts = (file: string): string[] =>
    readFileSync(`/proc/${leader?.pid}/${file}`, 'utf8').split('\0').slice(0, -1)
  const env = Object.fromEntries(
    parts('environ').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  // The first five arguments are sh, the wrapper and the wrapper's three arguments.
  const { briefing: stdin, mcp } = directory
  return { argv: parts('cmdline').slice(5), env, cwd: env['MUSTER_WORKSPACE'] ?? '', stdin, mcp }
}

async function isOver(up: Up, id: TaskId): Promise<void> {
  const over = async (): Promise<true | null> => ((await up.store.task('default', id))?.status === 'done' ? true : null)
  if ((await waitUntil(up.store, over, PATIENCE)) === null) throw new Error('the card was not done')
}

async function startByHand({ argv, env, cwd, stdin }: Command, asked: Promise<number>): Promise<number> {
  mkdirSync(cwd, { recursive: true })
  const [program = '', ...args] = argv
  const input = openSync(stdin, 'r')
  const log = openSync(join(tmpdir(), `muster-bench-${process.pid}.log`), 'w')
  const started = performance.now()
  const child = spawn(program, args, { cwd, env, stdio: [input, log, log], detached: true })
  const exited = once(child, 'exit')
  closeSync(input)
  closeSync(log)
  const ended = exited.then(() => {
    throw new Error(`${program} ended without a request to the model`)
  })
  ended.catch(() => undefined)
  const took = (await Promise.race([asked, ended])) - started
  await exited
  rmSync(join(tmpdir(), `muster-bench-${process.pid}.log`), { force: true })
  return took
}

/** Measures the peak memory of a supervisor while its agent prints a long stream. */
async function measureStream(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  symlinkSync(REPLAY, join(folder, 'codex'))
  const up = await startUp({ PATH: [folder, process.env['PATH']].join(delimiter), HOME: folder })
  try {
    const peaks: number[] = []
    for (const bytes of [MB, 25 * MB, 50 * MB]) {
      addAgent(up, 'coder', `harness: codex\nargs: ["replay:nudge", "with:${bytes}", "then:hang"]`)
      const id = await addCard(up)
      peaks.push(await peakOf(up, id, bytes))
    }
    const [small = 0, half = 0, large = 0] = peaks
    ratio('stream-50mb-more-rss-mb', large - small, '<=24')
    ratio('stream-50mb-vs-25mb', large / half, '<=1.15')
    info(`supervisor, peak: ${peaks.map((peak) => peak.toFixed(1)).join(', ')} MB (RSS) over 1, 25 and 50 MB of stream`)
  } finally {
    await up.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function peakOf(up: Up, id: TaskId, bytes: number): Promise<number> {
  const supervisorOf = async (): Promise<number | null> =>
    (await up.store.openRuns(null)).find(({ taskId }) => taskId === id)?.identity?.pid ?? null
  const pid = await waitUntil(up.store, supervisorOf, PATIENCE)
  const read = (file: string, name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1])
  const heard = async (): Promise<true | null> => (read('io', 'rchar') > bytes ? true : null)
  try {
    if ((await waitUntil(up.store, heard, PATIENCE)) === null) throw new Error('the supervisor did not read the stream')
    return read('status', 'VmHWM') / 1024
  } finally {
    await stopRun(up, id, pid ?? 0)
  }
}
