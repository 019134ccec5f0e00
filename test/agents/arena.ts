/** One agent CLI with a board and a model of its own: what a test tells the model, and what the board makes of it. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '../../src/workers/agent.ts'
import type { TaskDetails } from '../../src/operations/views.ts'
import type { Cli } from './clis.ts'
import { startModel } from './model-server.ts'
import type { Asked, Said } from './dialects/dialect.ts'
import type { ModelServer } from './model-server.ts'
import { SETUPS, setUp } from './users.ts'
import type { Setup } from './users.ts'

type RunView = TaskDetails['runs'][number]

const MUSTER = join(import.meta.dirname, '..', '..', 'dist', 'bin.js')

export class Arena {
  readonly cli: Cli
  readonly setup: Setup
  readonly asked: Asked[] = []
  /** What the model says to each question of the agent, in order; the last one is said again. */
  script: readonly ((asked: Asked) => Said)[] = []
  readonly #folder: string
  readonly #model: ModelServer
  readonly #env: Readonly<Record<string, string>>
  #begun = 0
  settingsBefore = ''

  private constructor(cli: Cli, folder: string, bin: string, model: ModelServer) {
    this.cli = cli
    this.#folder = folder
    this.#model = model
    this.setup = SETUPS[cli](model.url)
    this.#env = {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      HOME: join(folder, 'user'),
      MUSTER_HOME: join(folder, 'home'),
      ...this.setup.env,
    }
  }

  static async open(cli: Cli, bin: string): Promise<Arena> {
    const folder = mkdtempSync(join(tmpdir(), `muster-${cli}-`))
    let arena: Arena | null = null
    const model = await startModel((asked) => arena?.answer(asked) ?? { text: 'not yet' })
    arena = new Arena(cli, folder, bin, model)
    mkdirSync(join(folder, 'home', 'agents'), { recursive: true })
    setUp(join(folder, 'user'), arena.setup)
    arena.#writeAgent()
    arena.settingsBefore = arena.settings()
    await arena.muster('init')
    return arena
  }

  answer(asked: Asked): Said {
    // Small questions beside the work, such as which model to ask, or what to call the session.
    if (asked.tools.length === 0) return { text: 'ok' }
    this.asked.push(asked)
    const next = this.script[Math.min(this.#begun, this.script.length - 1)]
    this.#begun += 1
    return next?.(asked) ?? { text: 'done' }
  }

  /** Begins a new conversation with the model. */
  play(...script: readonly ((asked: Asked) => Said)[]): void {
    this.script = script
    this.#begun = 0
    this.asked.length = 0
  }

  async create(...flags: readonly string[]): Promise<string> {
    const { id } = JSON.parse(
      await this.muster('create', 'Write out.txt', '--assignee', 'coder', '--json', ...flags),
    ) as { id: string }
    return id
  }

  async card(id: string): Promise<TaskDetails> {
    return JSON.parse(await this.muster('show', id, '--json')) as TaskDetails
  }

  async lastRun(id: string): Promise<RunView | undefined> {
    return (JSON.parse(await this.muster('runs', id, '--json')) as RunView[]).at(-1)
  }

  /** What a command prints. */
  muster(...args: readonly string[]): Promise<string> {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [MUSTER, ...args], { env: this.#env, stdio: ['ignore', 'pipe', 'inherit'] })
      const parts: Buffer[] = []
      child.stdout.on('data', (part: Buffer) => parts.push(part))
      child.on('close', () => resolve(Buffer.concat(parts).toString('utf8')))
    })
  }

  /** A folder for cards that are to leave something there. */
  workspace(): string {
    const path = join(this.#folder, 'workspace')
    mkdirSync(path, { recursive: true })
    return path
  }

  logOf({ logPath }: RunView): string {
    return logPath === null ? '' : readFileSync(logPath, 'utf8')
  }

  /** The user's own files, as they are now: none of them may change. */
  settings(): string {
    const hash = createHash('sha256')
    for (const name of Object.keys(this.setup.files)) hash.update(readFileSync(join(this.#env['HOME'] ?? '', name)))
    return hash.digest('hex')
  }

  async close(): Promise<void> {
    await this.#model.close()
    // A run that was settled may be putting away its last files.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  /** From now on its agent may do that, and no more. */
  permit(permissions: Agent['permissions']): void {
    this.#writeAgent(permissions)
  }

  #writeAgent(permissions: Agent['permissions'] = 'full'): void {
    const { env, args } = this.setup
    const lines = [
      '---',
      `harness: ${this.cli}`,
      `permissions: ${permissions}`,
      `env: [${Object.keys(env).join(', ')}]`,
      `args: ${JSON.stringify(args)}`,
      '---',
      'You are a careful coder.',
      '',
    ]
    writeFileSync(join(this.#folder, 'home', 'agents', 'coder.md'), lines.join('\n'))
  }

  /** Processes of a run that live. */
  living(run: string): readonly number[] {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && hasMark(pid, `MUSTER_RUN=${run}`))
  }
}

function hasMark(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)
  } catch {
    return false
  }
}
