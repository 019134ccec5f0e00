/** Runs the commands of a documentation page as a reader does: in a shell, with a new home folder and no agent CLIs. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { CLI_NAMES } from '../../src/harnesses/detect/clis.ts'
import { waitUntil } from '../../src/processes/wait-until.ts'
import { openStore } from '../../src/storage/open.ts'
import { runLine } from './run-line.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** The text that a command that runs until Ctrl-C prints when it is ready. */
const READY = 'Ctrl-C'

/** A command that runs until Ctrl-C. */
interface LongCommand {
  output(): string
  until(text: string): Promise<void>
  interrupt(): Promise<void>
}

export interface Reader {
  /** Runs a command to its end. Returns the lines that it prints, including errors, as on a terminal. */
  run(command: string): Promise<readonly string[]>
  /** Starts a command that runs until Ctrl-C, and waits until it is ready. */
  start(command: string): Promise<LongCommand>
  /** Waits until no card runs and no card is about to start. */
  untilIdle(): Promise<void>
  /** Ends the started commands and deletes the home folder. */
  leave(): Promise<void>
}

export function openReader(): Reader {
  const home = mkdtempSync(join(tmpdir(), 'muster-docs-'))
  symlinkSync(join(ROOT, 'muster'), join(home, 'muster'))
  const env = environmentIn(home)
  const started: LongCommand[] = []
  const inShell = { env, cwd: home }
  return {
    run: (command) =>
      new Promise((resolve) => {
        execFile('/bin/sh', ['-c', `exec 2>&1; ${command}`], inShell, (_error, stdout) => resolve(linesOf(stdout)))
      }),
    async start(command) {
      const long = startLong(command, inShell)
      started.push(long)
      await long.until(READY)
      return long
    },
    untilIdle: () => untilIdle({ ...env, MUSTER_HOME: join(home, '.muster') }),
    async leave() {
      for (const long of started) await long.interrupt()
      // A supervisor of a run that a failed test left behind may still write into the folder.
      rmSync(home, { recursive: true, force: true, maxRetries: 50 })
    },
  }
}

export const linesOf = (text: string): string[] => (text.trimEnd() === '' ? [] : text.trimEnd().split('\n'))

/**
 * Returns the environment. Its PATH has no agent CLIs, because the pages show the output of a machine without them.
 * Node may be in the same folder as an agent CLI, so it gets its own folder.
 */
function environmentIn(home: string): Record<string, string> {
  const tools = join(home, 'bin')
  mkdirSync(tools)
  symlinkSync(process.execPath, join(tools, 'node'))
  const others = (process.env['PATH'] ?? '').split(delimiter)
  const plain = others.filter((one) => !CLI_NAMES.some((name) => existsSync(join(one, name))))
  const PATH = [ROOT, tools, ...plain].join(delimiter)
  return { PATH, HOME: home, USER: 'ada', MUSTER_USER: 'ada', LANG: 'C.UTF-8', MUSTER_TERMINAL: '80' }
}

function startLong(command: string, how: { env: Record<string, string>; cwd: string }): LongCommand {
  const child = spawn('/bin/sh', ['-c', `exec ${command} 2>&1`], { ...how, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'close')
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return {
    output: () => text,
    async until(wanted) {
      const isOver = ended.then(() => true)
      while (!text.includes(wanted)) {
        const isEnded = await Promise.race([isOver, once(child.stdout, 'data').then(() => false)])
        if (isEnded && !text.includes(wanted)) throw new Error(`${command} ended without "${wanted}":\n${text}`)
      }
    },
    async interrupt() {
      child.kill('SIGINT')
      await ended
    },
  }
}

type Environment = Readonly<Record<string, string>> & { readonly MUSTER_HOME: string }

const PATIENCE_MS = 60_000

async function untilIdle(env: Environment): Promise<void> {
  const store = await openStore({ engine: 'sqlite', path: join(env.MUSTER_HOME, 'muster.db') }, { mode: 'read' })
  let busy: readonly string[] = []
  /**
   * If the board changes during the queries, they are repeated, because a card may move from one query to the other.
   */
  const look = async (): Promise<true | null> => {
    const before = await store.feed(null)
    const running = (await store.openRuns(null)).filter(({ kind }) => kind === 'agent').map(({ taskId }) => taskId)
    busy = [...running, ...(await startingCards(env))]
    return busy.length === 0 && (await store.feed(null)).cursor === before.cursor ? true : null
  }
  try {
    if ((await waitUntil(store, look, { forMs: PATIENCE_MS, everyMs: 100 })) === null)
      throw new Error(`these cards do not finish: ${busy.join(', ')}`)
  } finally {
    await store.close({ exiting: true })
  }
}

/** The codes of the reasons of a card that is about to start. */
const STARTS: readonly string[] = ['next_pass', 'review_assigned']

async function startingCards(env: Environment): Promise<readonly string[]> {
  const found: string[] = []
  for (const { slug } of await query<readonly { readonly slug: string }[]>(env, 'boards')) {
    const filters = ['--board', slug, '--status', 'ready', '--status', 'review']
    for (const { id } of await query<readonly { readonly id: string }[]>(env, 'list', ...filters)) {
      const { reasons } = await query<{ readonly reasons: readonly { readonly code: string }[] }>(env, 'why', id)
      if (reasons.every(({ code }) => STARTS.includes(code))) found.push(id)
    }
  }
  return found
}

async function query<T>(env: Environment, ...argv: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await runLine([...argv, '--json'], { ...env })
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`)
  return JSON.parse(stdout) as T
}
