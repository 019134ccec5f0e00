/** One agent CLI with a board and a model of its own: what a test tells the model, and what the board makes of it. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AccountView } from '../../src/operations/agents/list-accounts.ts'
import type { Agent } from '../../src/agents/agent.ts'
import type { TaskDetails } from '../../src/operations/shared/views.ts'
import { ACP_ARGS, cliOf } from './clis.ts'
import type { AgentName, Cli } from './clis.ts'
import { filesIn } from './home-files.ts'
import type { HomeFiles } from './home-files.ts'
import { startModel } from './model-server.ts'
import type { Asked, Said } from './dialects/dialect.ts'
import type { ModelServer } from './model-server.ts'
import { Recorder, installation, logAt } from './recorder.ts'
import { RESET_SCRUBS } from './reset.ts'
import { SETUPS, setUp, writeFiles } from './users.ts'
import type { Setup } from './users.ts'

type RunView = TaskDetails['runs'][number]

interface Scene {
  readonly script: readonly ((asked: Asked) => Said)[]
  /** Of the card. */
  readonly flags?: readonly string[]
  /** How its agent's file differs from what it says in the other scenes. */
  readonly agent?: Partial<Pick<Agent, 'permissions' | 'args'>> & { readonly env?: readonly string[] }
  /** Whether what the program prints is held against what it printed once. */
  readonly isRecorded?: boolean
}

/** A card that was played to its end. */
export interface Played {
  readonly card: TaskDetails
  readonly run: RunView
  /** What the model was asked meanwhile. */
  readonly asked: readonly Asked[]
}

export const MUSTER = join(import.meta.dirname, '..', '..', 'dist', 'bin.js')

export class Arena {
  readonly agent: AgentName
  readonly cli: Cli
  readonly setup: Setup
  readonly recorder: Recorder
  readonly asked: Asked[] = []
  /** What the model says to each question of the agent, in order; the last one is said again. */
  script: readonly ((asked: Asked) => Said)[] = []
  readonly #folder: string
  readonly #model: ModelServer
  readonly #env: Readonly<Record<string, string>>
  readonly #scenes = new Map<string, Promise<Played>>()
  readonly #commands = new Set<ChildProcess>()
  #begun = 0
  #isAsked = Promise.resolve()
  #tellAsked = (): void => {}
  #settings: HomeFiles = new Map()

  private constructor(agent: AgentName, folder: string, bin: string, model: ModelServer) {
    const cli = cliOf(agent)
    this.agent = agent
    this.cli = cli
    this.#folder = folder
    this.#model = model
    this.setup = SETUPS[cli](model.url, join(folder, 'user'))
    this.#env = {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      HOME: join(folder, 'user'),
      TMPDIR: join(folder, 'tmp'),
      MUSTER_HOME: join(folder, 'home'),
      MUSTER_QUOTA_WAIT_MS: String(this.setup.limit.waitMs),
      ...this.setup.otherEnv,
      ...this.setup.env,
    }
    this.recorder = new Recorder(cli, [
      [join(folder, 'home'), '/home/ada/.muster'],
      [join(folder, 'user'), '/home/ada'],
      [join(folder, 'workspace'), '/home/ada/project'],
      [folder, '/scratch'],
      [tmpdir(), '/scratch'],
      [installation(bin), '/usr/lib/node_modules'],
      ...RESET_SCRUBS,
    ])
  }

  /** In a folder of its own, which is not there yet; it is the caller's to remove. */
  static async open(agent: AgentName, bin: string, folder: string): Promise<Arena> {
    let arena: Arena | null = null
    const model = await startModel((asked) => arena?.answer(asked) ?? { text: 'not yet' })
    arena = new Arena(agent, folder, bin, model)
    for (const name of ['home/agents', 'tmp', 'workspace']) mkdirSync(join(folder, name), { recursive: true })
    setUp(join(folder, 'user'), arena.setup)
    writeFiles(arena.workspace(), arena.setup.project ?? {})
    arena.#writeAgent()
    arena.#settings = arena.userFiles()
    await arena.muster('init')
    return arena
  }

  answer(asked: Asked): Said {
    // Small questions beside the work, such as which model to ask, or what to call the session.
    if (asked.tools.length === 0) return { text: 'ok' }
    this.asked.push(asked)
    const next = this.script[Math.min(this.#begun, this.script.length - 1)]
    this.#begun += 1
    this.#tellAsked()
    return next?.(asked) ?? { text: 'done' }
  }

  /** Begins a new conversation with the model. */
  play(...script: readonly ((asked: Asked) => Said)[]): void {
    this.script = script
    this.#begun = 0
    this.#isAsked = new Promise((resolve) => {
      this.#tellAsked = resolve
    })
    this.asked.length = 0
  }

  /** Until the agent has asked the model something. */
  isAsked(): Promise<void> {
    return this.#isAsked
  }

  /** Plays a scene to its end, once for all who look at it. */
  scene(name: string, scene: Scene): Promise<Played> {
    const played = this.#scenes.get(name) ?? this.#play(name, scene)
    this.#scenes.set(name, played)
    return played
  }

  async #play(name: string, { script, flags = [], agent, isRecorded = true }: Scene): Promise<Played> {
    if ((await this.account())?.state !== 'open') await this.muster('accounts', 'resume', this.cli)
    this.play(...script)
    if (agent !== undefined) this.#writeAgent(agent)
    const id = await this.create(...flags)
    await this.muster('dispatch', '--wait')
    if (agent !== undefined) this.#writeAgent()
    const card = await this.card(id)
    const run = card.runs.at(-1)
    if (run === undefined) throw new Error(`nothing was started: ${await this.muster('why', id)}`)
    // What it waits for would come in the middle of the next scene.
    await this.muster('archive', id)
    // Cards that crash alike, one after the other, pause their agent: here they are meant to.
    if (run.outcome === 'crashed') await this.muster('resume', 'agent', 'coder')
    if (isRecorded) this.recorder.keep(name, logAt(run.logPath), run.exitCode)
    return { card, run, asked: [...this.asked] }
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

  async account(): Promise<AccountView | undefined> {
    const accounts = JSON.parse(await this.muster('accounts', 'list', '--json')) as readonly AccountView[]
    return accounts.find(({ name }) => name === this.cli)
  }

  /** What a command prints. What it says beside that is of interest only when it fails. */
  muster(...args: readonly string[]): Promise<string> {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [MUSTER, ...args], { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] })
      this.#commands.add(child)
      const [out, beside]: [Buffer[], Buffer[]] = [[], []]
      child.stdout.on('data', (part: Buffer) => out.push(part))
      child.stderr.on('data', (part: Buffer) => beside.push(part))
      child.on('close', (code) => {
        this.#commands.delete(child)
        if (code !== 0) process.stderr.write(Buffer.concat(beside))
        resolve(Buffer.concat(out).toString('utf8'))
      })
    })
  }

  get home(): string {
    return join(this.#folder, 'home')
  }

  get userHome(): string {
    return join(this.#folder, 'user')
  }

  /** A folder for cards that are to leave something there. */
  workspace(): string {
    return join(this.#folder, 'workspace')
  }

  /** Everything in the user's home, as it is now. */
  userFiles(): HomeFiles {
    return filesIn(this.userHome)
  }

  /** As it was before anything was started. */
  get userFilesBefore(): HomeFiles {
    return this.#settings
  }

  /** Whatever still lives of it is ended. */
  async close(): Promise<void> {
    for (const child of this.#commands) child.kill('SIGKILL')
    for (const pid of this.#living((name) => name.startsWith(`MUSTER_HOME=${this.#folder}`))) end(pid)
    for (const pid of this.#living((name) => name === `HOME=${this.#folder}/user`)) end(pid)
    await this.#model.close()
  }

  /** From now on its agent may do that, and no more. */
  permit(permissions: Agent['permissions']): void {
    this.#writeAgent({ permissions })
  }

  #writeAgent({
    permissions = 'full',
    args = this.setup.args,
    env = Object.keys(this.setup.env),
  }: Scene['agent'] = {}): void {
    const isSpoken = this.agent.startsWith('acp:')
    const command = isSpoken ? [this.cli, ...(ACP_ARGS[this.cli] ?? [])] : []
    const lines = [
      '---',
      `harness: ${isSpoken ? 'acp' : this.cli}`,
      `permissions: ${permissions}`,
      `env: [${env.join(', ')}]`,
      `args: ${JSON.stringify([...command, ...args])}`,
      '---',
      'You are a careful coder.',
      '',
    ]
    writeFileSync(join(this.#folder, 'home', 'agents', 'coder.md'), lines.join('\n'))
  }

  /** Processes of a run that live. */
  living(run: string): readonly number[] {
    return this.#living((name) => name === `MUSTER_RUN=${run}`)
  }

  #living(isMark: (variable: string) => boolean): readonly number[] {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && environmentOf(pid).some(isMark))
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return []
  }
}
