/** One simulation: machines, dispatchers, people and faults, all chosen by one seed. */
import type { BoardSettings } from '../../src/core/board.ts'
import type { Command } from '../../src/core/command.ts'
import type { JudgeAnswer } from '../../src/core/vocabulary.ts'
import type { Options } from '../../src/config/load.ts'
import { inHome } from '../../src/config/home.ts'
import { askForWorker } from '../../src/worker-api/ask-for-worker.ts'
import { dispatchOnce, runDispatcher } from '../../src/dispatcher/dispatcher.ts'
import type { StartRequest } from '../../src/processes/spawn.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import { supervise } from '../../src/supervisor/supervise.ts'
import { unfinished } from '../helpers/chaos/unfinished.ts'
import { DiskError } from './disk.ts'
import { Faults } from './faults.ts'
import type { Fault, FaultContext } from './faults.ts'
import { Kernel } from './kernel.ts'
import type { System } from './kernel.ts'
import { SimMachine } from './machine.ts'
import type { MemoryStore } from './memory-store.ts'
import { BOARD, HOME } from './names.ts'
import { Oracle } from './oracle.ts'
import type { Caps } from './oracle.ts'
import { ADA, actRandomly, readFeed } from './people.ts'
import type { PersonContext } from './people.ts'
import type { Plan } from './plan.ts'
import type { Machine, SimProcess } from './process.ts'
import * as programs from './programs.ts'
import { StoreFront } from './store-front.ts'
import { Truth } from './truth.ts'

export interface SeedReport {
  readonly seed: number
  readonly steps: number
  readonly looks: number
  readonly cards: number
  readonly runs: ReadonlyMap<string, number>
  readonly violations: readonly string[]
  readonly faults: ReadonlyMap<Fault, number>
  readonly passed: ReadonlyMap<string, number>
  readonly crashedAt: ReadonlyMap<string, number>
}

export interface Length {
  /** The minimum number of steps while faults are injected. */
  readonly steps: number
  /** The maximum number of further steps until all cards have finished. */
  readonly rest: number
}

const NOON = Date.UTC(2026, 0, 15, 12)
/**
 * The time in milliseconds with faults on a slow board. This is long enough for leases to expire and runs to be
 * recovered.
 */
const SLOW_FAULTS_MS = 300_000
const NO_BURST = 1_000
/** A time in milliseconds that is longer than any message takes to arrive. */
const UNDER_WAY_MS = 5_000
const PROGRAM = '/opt/muster/supervisor.js'
/**
 * The file of the agent `coder`. In some simulations, the agent has a check, which also applies to cards without checks
 * of their own.
 */
const coder = (checks: readonly string[]): string =>
  [
    '---',
    'harness: command',
    'args: [/bin/agent, "{task}"]',
    'onExit: verdict',
    'maxConcurrent: 2',
    `checks: [${checks.join(', ')}]`,
    '---',
    'Work.',
    '',
  ].join('\n')

export class World {
  readonly kernel: Kernel
  readonly oracle: Oracle
  readonly #memory: MemoryStore
  readonly #front: StoreFront
  readonly #faults: Faults
  readonly #truth = new Truth()
  readonly #plans = new Map<string, Plan>()
  readonly #machines: readonly SimMachine[]
  readonly #peopleMachine: SimMachine
  readonly #shared: boolean
  readonly #slow: boolean
  /** Whether both machines have the same id. */
  readonly #twins: boolean
  /** Whether each dispatcher makes only one pass and exits. Another dispatcher starts later. */
  readonly #passesOnly: boolean
  readonly #caps: Caps
  readonly #settings: Partial<BoardSettings>
  readonly #options: Options
  readonly #seen: string[] = []
  readonly #seed: number
  #strays = 0
  /** Whether the store was copied and the copy waits to be restored. */
  #copied = false
  #serverOffset = 0
  #serverWentBack = false

  constructor(seed: number, memory: MemoryStore) {
    this.#seed = seed
    this.#memory = memory
    this.kernel = new Kernel(seed, NOON)
    const { random } = this.kernel
    this.#shared = random.chance(0.45)
    this.#slow = random.chance(0.35)
    this.#twins = this.#shared && random.chance(0.3)
    this.#passesOnly = random.chance(0.2)
    const names = this.#shared ? ['north', 'south'] : ['north']
    this.#machines = names.map((name) => this.#machine(name, this.#twins ? 'twin' : name))
    this.#peopleMachine = this.#machine('people')
    this.#settings = chooseSettings(this.kernel, this.#slow)
    this.#options = chooseOptions(this.kernel, this.#slow)
    this.#caps = { machine: this.#options.machineCap, board: this.#settings.maxRunning ?? null, agents: { coder: 2 } }
    this.#faults = new Faults(this.#context())
    if (this.#twins) this.#faults.count('two machines with one id')
    if (this.#passesOnly) this.#faults.count('separate passes only')
    this.oracle = new Oracle({
      kernel: this.kernel,
      machines: this.#machines,
      memory,
      truth: this.#truth,
      caps: this.#caps,
      clockWasSetBack: () => this.#serverWentBack || this.#machines.some(({ clockWentBack }) => clockWentBack),
    })
    this.#front = new StoreFront(memory, {
      kernel: this.kernel,
      faults: this.#faults,
      shared: this.#shared,
      observer: {
        onCommand: (process, command, outcome) => {
          this.oracle.onCommand(process, command, outcome)
          if (command.verb === 'claim' && outcome.ok) this.#faults.onClaim(process.machine)
        },
        onRunRead: (process, run) => this.oracle.onRunRead(process, run),
      },
    })
    this.kernel.observer = {
      onAwait: (process, label) => this.#faults.onAwait(process, label),
      deliveries: () => this.#faults.deliveries(),
      onSignal: (process, signal, by) => this.#faults.onSignal(process, signal, by),
      onDeath: (process) => this.#replace(process),
    }
    this.kernel.system = this.#system()
  }

  #machine(name: string, idName = name): SimMachine {
    const machine = new SimMachine(name, this.kernel, idName)
    for (const folder of ['agents', 'runs', 'boards']) machine.disk.makeFolders(`${HOME}/${folder}`)
    machine.disk.makeFolders('/bin')
    machine.disk.write('/bin/agent', Buffer.from('#!'), { mode: 0o755, sync: true })
    machine.disk.write(`${HOME}/agents/coder.md`, Buffer.from(coder(this.#seed % 4 === 0 ? ['make test'] : [])), {
      sync: true,
    })
    return machine
  }

  /** Returns the time of the store. A server has its own clock, and a file uses the clock of its machine. */
  storeClock(): number {
    return this.#shared ? Math.floor(this.kernel.now) + this.#serverOffset : (this.#machines[0]?.wall() ?? 0)
  }

  #setServerClock(offset: number): void {
    this.#serverWentBack ||= offset < this.#serverOffset
    this.#serverOffset = offset
  }

  #context(): FaultContext {
    return {
      kernel: this.kernel,
      truth: this.#truth,
      machines: this.#machines,
      faultChance: this.#slow ? 0.006 : 0.02,
      shared: this.#shared,
      // With a start deadline of 0, the dispatcher waits for a live supervisor without a limit.
      leavesStopped: this.#passesOnly && this.#settings.startDeadlineMs !== 0,
      setStoreClock: (ms) => this.#setServerClock(this.#serverOffset + ms),
      startStray: () => this.#startStray(),
      restart: (machine) => this.#restart(machine),
      replaceStore: () => this.#replaceStore(),
      ring: (machine) => this.#front.ring(machine),
    }
  }

  #system(): System {
    return {
      connect: (process) => this.#front.connect(process),
      launch: (parent, request) => this.#launch(parent, request),
      judge: (supervisor) => this.#judge(supervisor),
    }
  }

  /** The planned answer about the card of a supervisor. */
  #judge(supervisor: SimProcess): JudgeAnswer {
    this.oracle.onQuestion(supervisor)
    const { run } = supervisor
    const known = this.#truth.of(run ?? '')
    const answers = this.#plans.get(known.task)?.goal?.answers ?? ['done']
    const answer = answers[Math.min(this.#truth.nextQuestion(known.task), answers.length - 1)] ?? 'done'
    known.judged = answer
    known.judgements += 1
    return answer
  }

  #launch(parent: SimProcess, request: Omit<StartRequest, 'log'>): SimProcess {
    const { args, env } = request
    const [first = '', path = '', runId = '', tokenHash = ''] = args
    const begin = (role: SimProcess['role'], run: string | null): SimProcess => {
      if (this.#faults.refusesStart()) {
        if (run !== null) this.#truth.of(run).refused = true
        throw new DiskError('EAGAIN', 'spawn', request.program)
      }
      return parent.machine.startProcess({ role, parent, leads: true, env, run }, this.#faults.reusesPid())
    }
    const { kernel } = this
    if (args.includes(PROGRAM)) {
      const directory = args.at(-1) ?? ''
      const run = directory.split('/').at(-1) ?? ''
      const process = begin('supervisor', run)
      process.onEnd.push((exit) => (this.#truth.of(run).supervisorExit = exit))
      this.#supervise(process, directory)
      return process
    }
    if (first.endsWith('wrapper.sh')) {
      const process = begin('wrapper', runId)
      const directory = runDirectoryAt(path)
      this.#truth.of(runId).task = env['MUSTER_TASK'] ?? ''
      kernel.start(process, () =>
        programs.wrapper(kernel, process, {
          directory,
          runId,
          tokenHash,
          startWorker: () => this.#startWorker(process, path),
        }),
      )
      return process
    }
    if (first.endsWith('watchdog.sh')) {
      const process = begin('watchdog', runId)
      kernel.start(process, () => programs.watchdog(kernel, process, args))
      return process
    }
    const run = env['MUSTER_RUN'] ?? ''
    const task = env['MUSTER_TASK'] ?? ''
    const process = begin('check', run)
    const fails = this.#truth.nextCheck(task) < (this.#plans.get(task)?.checkFails ?? 0)
    kernel.start(process, () => programs.check(kernel, process, { fails, truth: this.#truth.of(run) }))
    return process
  }

  #supervise(process: SimProcess, path: string): void {
    this.kernel.start(process, async () => {
      await supervise(runDirectoryAt(path), { host: process.machine.host, env: process.env, answer: askForWorker })
      return 0
    })
  }

  #startWorker(parent: SimProcess, path: string): SimProcess {
    const { kernel } = this
    const { env, run, machine } = parent
    const process = machine.startProcess({ role: 'worker', parent, leads: false, env, run }, this.#faults.reusesPid())
    const task = env['MUSTER_TASK'] ?? ''
    const plan = this.#plans.get(task)
    if (plan === undefined || run === null) throw new Error(`there is no plan for ${task}`)
    const turn = Number(env['MUSTER_TURN'])
    const strangers = [...this.#plans.keys()].filter((id) => id !== task)
    const job: programs.Job = {
      plan,
      directory: runDirectoryAt(path),
      truth: this.#truth.of(run),
      attempt: this.#truth.nextAttempt(task, turn),
      turn,
      stranger: kernel.random.pick(strangers) ?? null,
      startDaemon: () => {
        const daemon = machine.startProcess(
          { role: 'worker', parent: null, leads: true, env, run },
          this.#faults.reusesPid(),
        )
        kernel.start(
          daemon,
          () =>
            new Promise((resolve) =>
              kernel.push(daemon, 'lingers', kernel.random.duration(1_000, 40_000), () => resolve(0)),
            ),
        )
      },
    }
    kernel.start(process, () => programs.worker(kernel, process, job))
    return process
  }

  /** Starts a second supervisor for a run, or a supervisor with a forged token. */
  #startStray(): boolean {
    const { random } = this.kernel
    const runs = this.#machines.flatMap((machine) =>
      machine.asleep
        ? []
        : machine.disk
            .list(`${HOME}/runs`)
            .filter((name) => machine.disk.find(`${HOME}/runs/${name}/ticket.json`) !== null)
            .map((name) => ({ machine, name })),
    )
    const open = runs.filter(({ name }) => this.oracle.isOpen(name))
    const chosen = random.pick(open.length > 0 && random.chance(0.8) ? open : runs)
    if (chosen === undefined) return false
    const { machine, name } = chosen
    const path = `${HOME}/runs/${name}`
    this.#truth.of(name).affected = true
    const process = machine.startProcess({ role: 'supervisor', parent: null, leads: true, env: {}, run: name }, false)
    if (random.chance(0.5)) {
      this.#supervise(process, path)
      return true
    }
    process.forged = true
    this.#strays += 1
    const elsewhere = `${HOME}/runs/stray-${this.#strays}`
    const ticket = machine.disk.find(`${path}/ticket.json`)?.data.toString() ?? ''
    machine.disk.full = false
    machine.disk.makeFolders(elsewhere)
    machine.disk.write(`${elsewhere}/ticket.json`, Buffer.from(ticket.replace(/"token": "[^"]*"/, '"token": "forged"')))
    this.#supervise(process, elsewhere)
    return true
  }

  #startDispatcher(machine: Machine): void {
    const env = { PATH: '/bin', HOME: '/home/ada' }
    const process = machine.startProcess(
      { role: 'dispatcher', parent: null, leads: true, env, run: null },
      this.#faults.reusesPid(),
    )
    this.kernel.start(process, async () => {
      const stop = new AbortController()
      process.handlers.set('SIGTERM', new Set([() => stop.abort()]))
      const trace = this.kernel.trace
      const dispatching = {
        store: this.#front.connect(process),
        host: machine.host,
        options: this.#options,
        env,
        supervisorPath: PROGRAM,
        onlyBoard: null,
        max: null,
        lanePositions: null,
      }
      if (this.#passesOnly) {
        await dispatchOnce(dispatching, { wait: false, listener: { onPass: () => {}, onEnd: () => {} } })
        return 0
      }
      await runDispatcher(
        dispatching,
        {
          onStandby: () => {},
          onLead: () => {},
          onPass: () => {},
          onTrouble: (error) => trace?.(`${process.name} trouble: ${error.message}`),
        },
        { stop: stop.signal, drain: new AbortController().signal },
      )
      return 0
    })
  }

  /** Restarts an ended dispatcher after a while, like a service manager. */
  #replace(process: SimProcess): void {
    if (process.role !== 'dispatcher') return
    const { machine } = process
    const { boots } = machine
    const waitMs = this.#passesOnly ? 5_000 : 1
    this.kernel.plan(this.#faults.isActive ? this.kernel.random.duration(50, 60_000) : waitMs, () => {
      if (machine.boots === boots) this.#startDispatcher(machine)
    })
  }

  /** Copies the store now and restores the copy later while processes run, as `restore --force` does. */
  #replaceStore(): boolean {
    const { kernel } = this
    if (this.#copied) return false
    this.#copied = true
    const copy = this.#memory.current.copy()
    kernel.plan(kernel.random.duration(2_000, 120_000), () => {
      if (!this.#faults.isActive) return
      for (const machine of this.#machines) this.#faults.markMachineAffected(machine)
      kernel.push(null, 'restore', 0, async () => {
        await this.#memory.restore(copy, kernel.random.chance(0.5) ? 'into' : 'instead')
        kernel.trace?.('*** replaced store')
        this.#faults.count('replaced store')
        this.#copied = false
        this.oracle.onRestore()
        this.#front.ring(null)
      })
    })
    return false
  }

  #restart(machine: SimMachine): void {
    const dispatchers = [...machine.processes.values()].filter(({ role }) => role === 'dispatcher').length
    for (const process of machine.processes.values()) this.kernel.forget(process)
    machine.powerOff()
    this.kernel.plan(this.kernel.random.duration(1_000, 120_000), () => {
      machine.boot(() => this.#faults.reusesPid())
      for (let left = Math.max(1, dispatchers); left > 0; left -= 1) this.#startDispatcher(machine)
    })
  }

  #startPerson(main: (person: PersonContext) => Promise<number>): void {
    const { kernel } = this
    const process = this.#peopleMachine.startProcess(
      { role: 'person', parent: null, leads: true, env: {}, run: null },
      false,
    )
    const person: PersonContext = {
      kernel,
      process,
      store: this.#front.connectPerCommand(process),
      plans: this.#plans,
      nudge: (run) => {
        for (const { disk } of this.#machines) disk.ring(runDirectoryAt(`${HOME}/runs/${run}`).nudge)
      },
      slow: this.#slow,
      // Other seeds have no goals, so that their long histories stay the same.
      hasGoals: this.#seed % 3 === 0,
      hasSwarms: this.#seed % 5 === 1,
      isOver: () => !this.#faults.isActive,
    }
    kernel.start(process, () => main(person))
  }

  async #decide(verb: string, input: object): Promise<void> {
    await this.#memory.store.decide({ verb, board: BOARD, actor: ADA, input } as Command)
    this.oracle.lookAgain()
  }

  async run({ steps, rest }: Length): Promise<SeedReport> {
    Kernel.current = this.kernel
    try {
      this.#memory.empty()
      await this.#decide('create_board', { slug: BOARD })
      await this.#decide('set_board', { settings: this.#settings })
      for (const machine of this.#machines)
        for (let count = this.kernel.random.between(1, 2); count > 0; count -= 1) this.#startDispatcher(machine)
      this.#startPerson(actRandomly)
      this.#startPerson((person) => readFeed(person, this.#seen))
      const longEnough = NOON + (this.#slow ? SLOW_FAULTS_MS : 0)
      await this.#runUntil(() => this.kernel.steps >= steps && this.kernel.now >= longEnough)
      await this.#waitUntilFinished(rest)
      return this.#report()
    } finally {
      Kernel.current = null
    }
  }

  get #hasFaults(): boolean {
    return this.oracle.faults.length > 0
  }

  async #runUntil(isOver: () => boolean): Promise<void> {
    while (!isOver() && !this.#hasFaults) {
      this.#faults.injectSometimes()
      if (!(await this.kernel.step())) return
      this.oracle.look()
    }
  }

  /** Repairs everything that only a person could repair. From then on, all cards must finish without help. */
  async #waitUntilFinished(most: number): Promise<void> {
    if (this.#hasFaults) return
    this.#faults.clear()
    for (const process of this.#peopleMachine.processes.values()) this.kernel.end(process, { code: 0, signal: null })
    // Waits for the delivery of all commands that people have sent.
    const sent = this.kernel.now + UNDER_WAY_MS
    await this.#runUntil(() => this.kernel.now >= sent)
    await this.#decide('set_board', { settings: { burstLimit: NO_BURST } })
    for (const { kind, name, pausedAt } of await this.#memory.store.slots())
      if (pausedAt !== null && kind !== 'account') await this.#decide('resume', { kind, name })
    for (const { id, taskId, kind } of await this.#memory.store.openRuns(null))
      if (kind === 'manual') await this.#decide('reclaim', { task: taskId, runId: id })
    this.#front.ring(null)
    const end = this.kernel.steps + most
    let looks = 0
    const isOver = (): boolean => this.#unfinished().length === 0 && this.oracle.abandoned().length === 0
    await this.#runUntil(() => this.kernel.steps >= end || ((looks += 1) % 20 === 0 && isOver()))
    if (this.#hasFaults) return
    for (const { name, run } of this.oracle.abandoned())
      this.oracle.faults.push(`${name} is alive, but its run ${run} is not open`)
    for (const { id, status, currentRunId, cooldownUntil, lastError } of this.#unfinished())
      this.oracle.faults.push(
        `${id} did not finish: ${status}, run ${currentRunId}, cool-down ${cooldownUntil}, ${lastError}`,
      )
    this.#concludeFeed()
  }

  #unfinished(): ReturnType<typeof unfinished> {
    return unfinished(this.#memory.state(Number.MAX_SAFE_INTEGER))
  }

  #concludeFeed(): void {
    const epoch = `${this.#memory.epoch()}:`
    const read = this.#seen.flatMap((cursor) => (cursor.startsWith(epoch) ? [Number(cursor.slice(epoch.length))] : []))
    const seen = new Set(read)
    if (seen.size < read.length) this.oracle.faults.push(`the feed repeated ${read.length - seen.size} events`)
    const [first = Infinity, last = -Infinity] = [read[0], read.at(-1)]
    const missed = this.oracle.eventIds.filter((id) => id >= first && id <= last && !seen.has(id))
    if (missed.length > 0) this.oracle.faults.push(`the feed missed ${missed.slice(0, 10).join(', ')}`)
  }

  #report(): SeedReport {
    const { runs, tasks } = this.#memory.state(Number.MAX_SAFE_INTEGER)
    const outcomes = new Map<string, number>()
    for (const { outcome } of runs) outcomes.set(outcome ?? 'open', (outcomes.get(outcome ?? 'open') ?? 0) + 1)
    return {
      seed: this.#seed,
      steps: this.kernel.steps,
      looks: this.oracle.looks,
      cards: tasks.length,
      runs: outcomes,
      violations: this.oracle.faults,
      faults: this.#faults.counts,
      passed: this.#faults.passed,
      crashedAt: this.#faults.crashedAt,
    }
  }
}

/** Chooses settings with short waits, so that many waits end within a few hundred steps. */
function chooseSettings({ random }: Kernel, slow: boolean): Partial<BoardSettings> {
  return {
    defaultAssignee: 'shell',
    failureLimit: random.between(1, 4),
    attemptsLimit: random.chance(0.9) ? 1_000 : 20,
    burstLimit: random.chance(0.9) ? NO_BURST : 3,
    maxRunning: random.chance(0.3) ? random.between(1, 4) : null,
    retryBaseMs: random.duration(100, 5_000),
    retryMaxMs: 20_000,
    rateLimitBaseMs: random.duration(1_000, 20_000),
    rateLimitMaxMs: 40_000,
    successGuardMs: random.chance(0.5) ? 0 : 10_000,
    startDeadlineMs: random.pick([0, 5_000, 30_000]) ?? 30_000,
    leaseMs: random.pick([40_000, 40_000, 120_000]) ?? 120_000,
    staleMs: slow ? 400_000 : random.duration(30_000, 100_000),
    checkTimeoutMs: random.duration(programs.SHORTEST_LIMIT_MS, 60_000),
  }
}

function chooseOptions({ random }: Kernel, slow: boolean): Options {
  return {
    home: HOME,
    store: inHome.database(HOME),
    board: BOARD,
    currentBoard: BOARD,
    user: 'ada',
    insideRun: null,
    modelKeys: [],
    server: null,
    warnings: [],
    machineCap: random.between(1, slow ? 2 : 4),
    dispatcherLeaseMs: 15_000,
    sweepMs: random.chance(0.25) ? 5_000 : 20_000,
    turnEndMs: 30_000,
    // The grace period is longer than any signal takes to arrive in the simulation, so that all processes of a run get
    // a shutdown signal within it.
    terminateGraceMs: random.duration(4_000, 6_000),
    killWaitMs: random.duration(500, 3_000),
    quotaWaitMs: 120_000,
    sessionWaitMs: 120_000,
    judgeRetryMs: 5_000,
    logMaxBytes: 64 * 1024 ** 2,
    takeOverMs: 10_000,
    clockDoubtMs: 30_000,
    workspaceStaysMs: random.duration(100, 20_000),
    workspaceStaysBytes: 2 * 1024 ** 3,
    intentWaitMs: 15_000,
    verdictWaitMs: 17_000,
    versionWaitMs: 10_000,
    requestHeadersMs: 10_000,
    requestBodyMs: 120_000,
    requestDrainMs: 5_000,
    requestConnections: 1_200,
  }
}
