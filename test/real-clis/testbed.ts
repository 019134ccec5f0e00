/** Runs one agent CLI with its own board and its own scripted model. */
import { spawn } from 'node:child_process'
import type { ChildProcess, ChildProcessByStdio, SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { AccountView } from '../../src/operations/agents/list-accounts.ts'
import type { Agent } from '../../src/agents/agent.ts'
import type { TaskDetails } from '../../src/operations/shared/views.ts'
import { ACP_ARGS, cliOf } from './clis.ts'
import type { AgentName, Cli } from './clis.ts'
import { filesIn } from './home-files.ts'
import type { HomeFiles } from './home-files.ts'
import { startModel } from './model-server.ts'
import type { ModelRequest, ModelReply } from './dialects/dialect.ts'
import type { ModelServer } from './model-server.ts'
import { Recorder, installation, logAt } from './recorder.ts'
import { RESET_SCRUBS } from './reset.ts'
import { SETUPS, setUp, writeFiles } from './users.ts'
import type { Setup } from './users.ts'

type RunView = TaskDetails['runs'][number]

interface ScriptedRun {
  readonly script: readonly ((request: ModelRequest) => ModelReply)[]
  /** Options of `muster create`. */
  readonly flags?: readonly string[]
  /** The settings of the agent's file that differ from the default settings. */
  readonly agent?: Partial<Pick<Agent, 'permissions' | 'args'>> & { readonly env?: readonly string[] }
  /** Whether the output of the program is compared with its recording. */
  readonly isRecorded?: boolean
}

/** A card whose run has ended. */
export interface FinishedRun {
  readonly card: TaskDetails
  readonly run: RunView
  /** The requests to the model during the run. */
  readonly requests: readonly ModelRequest[]
}

type OutputProcess = ChildProcessByStdio<null, Readable, Readable>

/** Muster sets this variable for its runs. Without it, Claude Code writes telemetry into the user's home. */
const QUIET = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' }

/** The beginning of the instructions for a plan. A request for a title may quote them, and has its own instructions first. */
const PLANNING = /^\s*(?![^]*generate a (?:short )?title)[^]*You plan work for a kanban board/i

export const MUSTER = join(import.meta.dirname, '..', '..', 'dist', 'bin.js')

export class Testbed {
  readonly agent: AgentName
  readonly cli: Cli
  readonly setup: Setup
  readonly recorder: Recorder
  readonly requests: ModelRequest[] = []
  /** The model's replies to the requests of the agent, in order. The last reply is repeated. */
  script: readonly ((request: ModelRequest) => ModelReply)[] = []
  readonly #folder: string
  readonly #model: ModelServer
  readonly #env: Readonly<Record<string, string>>
  readonly #scenes = new Map<string, Promise<FinishedRun>>()
  readonly #commands = new Set<ChildProcess>()
  #replies = 0
  #firstRequest = Promise.resolve()
  #onRequest = (): void => {}
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

  /** Opens a testbed in `folder`, which it creates and the caller must remove. */
  static async open(agent: AgentName, bin: string, folder: string): Promise<Testbed> {
    let testbed: Testbed | null = null
    const model = await startModel((request) => testbed?.answer(request) ?? { text: 'not yet' })
    testbed = new Testbed(agent, folder, bin, model)
    for (const name of ['home/agents', 'tmp', 'workspace']) mkdirSync(join(folder, name), { recursive: true })
    setUp(join(folder, 'user'), testbed.setup)
    writeFiles(testbed.workspace(), testbed.setup.project ?? {})
    testbed.#writeAgent()
    testbed.#settings = testbed.userFiles()
    await testbed.muster('init')
    return testbed
  }

  answer(request: ModelRequest): ModelReply {
    // A request without tools is not part of the work, such as one for the title of the session. A plan is made without
    // tools.
    if (request.tools.length === 0 && !PLANNING.test(request.conversation)) return { text: 'ok' }
    this.requests.push(request)
    const next = this.script[Math.min(this.#replies, this.script.length - 1)]
    this.#replies += 1
    this.#onRequest()
    return next?.(request) ?? { text: 'done' }
  }

  /** Begins a new conversation with the model. */
  play(...script: readonly ((request: ModelRequest) => ModelReply)[]): void {
    this.script = script
    this.#replies = 0
    this.#firstRequest = new Promise((resolve) => {
      this.#onRequest = resolve
    })
    this.requests.length = 0
  }

  /** Resolves when the agent has sent a request to the model. */
  firstRequest(): Promise<void> {
    return this.#firstRequest
  }

  /** Runs a scene to its end. Later calls with the same name get the same result. */
  scene(name: string, scene: ScriptedRun): Promise<FinishedRun> {
    const finished = this.#scenes.get(name) ?? this.#play(name, scene)
    this.#scenes.set(name, finished)
    return finished
  }

  async #play(name: string, { script, flags = [], agent, isRecorded = true }: ScriptedRun): Promise<FinishedRun> {
    if ((await this.account())?.state !== 'open') await this.muster('accounts', 'resume', this.cli)
    this.play(...script)
    if (agent !== undefined) this.#writeAgent(agent)
    const id = await this.create(...flags)
    await this.muster('dispatch', '--wait')
    if (agent !== undefined) this.#writeAgent()
    const card = await this.card(id)
    const run = card.runs.at(-1)
    if (run === undefined) throw new Error(`nothing was started: ${await this.muster('why', id)}`)
    // Ends the card, because a card that waits for a retry would start during the next scene.
    await this.muster('archive', id)
    // The agent is resumed, because Muster pauses an agent after several equal crashes. In this test, the crashes are
    // intended.
    if (run.outcome === 'crashed') await this.muster('resume', 'agent', 'coder')
    if (isRecorded) this.recorder.keep(name, logAt(run.logPath), run.exitCode)
    return { card, run, requests: [...this.requests] }
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

  /** Runs a command of Muster, and returns its standard output. */
  muster(...args: readonly string[]): Promise<string> {
    return this.#run(process.execPath, [MUSTER, ...args])
  }

  /** Runs the CLI in a folder, as the user would, and returns its standard output. */
  runCli(folder: string, ...args: readonly string[]): Promise<string> {
    return this.#run(this.cli, args, { cwd: folder, env: { ...this.#env, ...QUIET } })
  }

  /** The standard error of the program is printed only if the program fails. */
  async #run(program: string, args: readonly string[], options: SpawnOptions = {}): Promise<string> {
    const child = this.#start(program, args, options)
    const [out, errors]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (part: Buffer) => out.push(part))
    child.stderr.on('data', (part: Buffer) => errors.push(part))
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0) process.stderr.write(Buffer.concat(errors))
    return Buffer.concat(out).toString('utf8')
  }

  /** Starts the server, and returns its address. The server ends with the testbed. */
  async startServer(): Promise<string> {
    const flags = ['--no-open', '--no-dispatch', '--port', '0']
    const { stdout } = this.#start(process.execPath, [MUSTER, 'up', ...flags])
    for await (const line of createInterface(stdout)) {
      const [, url] = /^(http:\S+)\/sign-in#/.exec(line) ?? []
      if (url === undefined) continue
      stdout.resume()
      return url
    }
    throw new Error('muster up printed no address')
  }

  #start(program: string, args: readonly string[], options: SpawnOptions = {}): OutputProcess {
    const child = spawn(program, args, { env: this.#env, ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#commands.add(child)
    child.once('close', () => this.#commands.delete(child))
    return child
  }

  get home(): string {
    return join(this.#folder, 'home')
  }

  get userHome(): string {
    return join(this.#folder, 'user')
  }

  /** A folder for cards that write files. */
  workspace(): string {
    return join(this.#folder, 'workspace')
  }

  /** Returns the present files in the user's home. */
  userFiles(): HomeFiles {
    return filesIn(this.userHome)
  }

  /** The files in the user's home before any program was started. */
  get userFilesBefore(): HomeFiles {
    return this.#settings
  }

  /** Closes the testbed, and kills all processes of it that are still alive. */
  async close(): Promise<void> {
    for (const child of this.#commands) child.kill('SIGKILL')
    for (const pid of this.#living((name) => name.startsWith(`MUSTER_HOME=${this.#folder}`))) end(pid)
    for (const pid of this.#living((name) => name === `HOME=${this.#folder}/user`)) end(pid)
    await this.#model.close()
  }

  /** Sets the permissions of the agent. */
  permit(permissions: Agent['permissions']): void {
    this.#writeAgent({ permissions })
  }

  #writeAgent({
    permissions = 'full',
    args = this.setup.args,
    env = Object.keys(this.setup.env),
  }: ScriptedRun['agent'] = {}): void {
    const isAcp = this.agent.startsWith('acp:')
    const command = isAcp ? [this.cli, ...(ACP_ARGS[this.cli] ?? [])] : []
    const lines = [
      '---',
      `harness: ${isAcp ? 'acp' : this.cli}`,
      `permissions: ${permissions}`,
      `env: [${env.join(', ')}]`,
      `args: ${JSON.stringify([...command, ...args])}`,
      '---',
      'You are a careful coder.',
      '',
    ]
    writeFileSync(join(this.#folder, 'home', 'agents', 'coder.md'), lines.join('\n'))
  }

  /** The processes of a run that are alive. */
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
    // The process has ended in the meantime, so it is left out.
  }
}

function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return []
  }
}
