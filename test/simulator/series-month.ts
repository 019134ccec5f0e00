/**
 * A month of recurring cards on two machines that share a store. The clocks change in this month, each machine sleeps,
 * both sleep over the change together, dispatchers are killed at random awaits, and answers of the store are lost. The
 * expected times come from the wall clock of the zone, minute by minute.
 */
import type { Command } from '../../src/core/command.ts'
import type { Options } from '../../src/config/load.ts'
import { runDispatcher } from '../../src/dispatcher/dispatcher.ts'
import { Kernel } from './kernel.ts'
import { SimMachine } from './machine.ts'
import type { MemoryStore } from './memory-store.ts'
import { BOARD, HOME } from './names.ts'
import { ADA } from './people.ts'
import { StoreFront } from './store-front.ts'
import type { SeedReport } from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const ZONE = 'Europe/Berlin'
/** The clocks go back on 25 October 2026. */
const START = Date.UTC(2026, 9, 10, 12)
/** No time of a series is due shortly before the end. */
const END = START + 31 * DAY - 31 * MINUTE
/**
 * Both machines sleep together over the change of the clocks, and once more for a night. They wake long before the next
 * time of a series, because a timer continues after sleep where it stopped.
 */
const BOTH_SLEEP: readonly (readonly [from: number, until: number])[] = [
  [Date.UTC(2026, 9, 24, 20, 10), Date.UTC(2026, 9, 25, 9, 35)],
  [Date.UTC(2026, 10, 3, 18, 5), Date.UTC(2026, 10, 4, 6, 40)],
]
/** How long a killed dispatcher stays away at most. */
const RESTART_MS = 30_000
/** A dispatcher that cannot read the store tries again after this time. The times of each series are further apart. */
const SWEEP_MS = 30 * MINUTE
/** How late a card may be while a machine is awake: after a lost answer and a restart. */
const LATE_MS = SWEEP_MS + 2 * RESTART_MS
/** The chance that a dispatcher is killed at any await, and at an await of the decision about a series. */
const CRASH = 0.0003
const CRASH_IN_DECISION = 0.03
const LOST_ANSWER = 0.03

interface Asked {
  readonly id: string
  readonly schedule: string
  /** The expected local times: minutes since midnight, and days of the week. This is null for an interval. */
  readonly wall: { readonly minutes: readonly number[]; readonly weekDays: readonly number[] } | null
}

const WEEK = [0, 1, 2, 3, 4, 5, 6]
const hourly = Array.from({ length: 24 }, (_, hour) => hour * 60 + 30)

const SERIES: readonly Asked[] = [
  { id: 's_000000000a', schedule: 'daily 02:30', wall: { minutes: [150], weekDays: WEEK } },
  { id: 's_000000000b', schedule: '30 * * * *', wall: { minutes: hourly, weekDays: WEEK } },
  { id: 's_000000000c', schedule: 'weekdays 09:00', wall: { minutes: [540], weekDays: [1, 2, 3, 4, 5] } },
  { id: 's_000000000d', schedule: '0 2,3 * * *', wall: { minutes: [120, 180], weekDays: WEEK } },
  { id: 's_000000000e', schedule: 'every 6h', wall: null },
]

export class SeriesMonth {
  readonly kernel: Kernel
  readonly #memory: MemoryStore
  readonly #front: StoreFront
  readonly #machines: readonly SimMachine[]
  readonly #seed: number
  #crashes = 0
  /** Whether the answer to the next request gets lost after its commit. */
  #losesAnswer = false

  constructor(seed: number, memory: MemoryStore) {
    this.#seed = seed
    this.#memory = memory
    this.kernel = new Kernel(seed, START)
    const { random } = this.kernel
    this.#machines = ['north', 'south'].map((name) => this.#machine(name))
    this.#front = new StoreFront(memory, {
      kernel: this.kernel,
      shared: true,
      faults: { deliveries: () => 1, isBusy: () => false, losesAnswer: () => this.#takeLostAnswer() },
      observer: { onCommand: () => {}, onRunRead: () => {} },
    })
    this.kernel.observer = {
      onAwait: (process, label) => {
        const decides = label.startsWith('decide run_series')
        this.#losesAnswer = decides && random.chance(LOST_ANSWER)
        if (process.role !== 'dispatcher' || !random.chance(decides ? CRASH_IN_DECISION : CRASH)) return
        this.#crashes += 1
        this.kernel.deliver(process, 'SIGKILL')
      },
      deliveries: () => 1,
      onSignal: () => {},
      onDeath: ({ role, machine }) => {
        if (role === 'dispatcher')
          this.kernel.plan(random.between(1, RESTART_MS), () => this.#startDispatcher(machine as SimMachine))
      },
    }
    this.kernel.system = {
      connect: (process) => this.#front.connect(process),
      launch: () => {
        throw new Error('no card of this month may start')
      },
      judge: () => {
        throw new Error('no card of this month has a goal')
      },
    }
  }

  storeClock(): number {
    return Math.floor(this.kernel.now)
  }

  #machine(name: string): SimMachine {
    const machine = new SimMachine(name, this.kernel)
    for (const folder of ['agents', 'runs', 'boards']) machine.disk.makeFolders(`${HOME}/${folder}`)
    return machine
  }

  #startDispatcher(machine: SimMachine): void {
    const env = { PATH: '/bin', HOME: '/home/ada' }
    const process = machine.startProcess({ role: 'dispatcher', parent: null, leads: true, env, run: null }, false)
    this.kernel.start(process, async () => {
      const signals = { stop: new AbortController().signal, drain: new AbortController().signal }
      const context = {
        store: this.#front.connect(process),
        host: machine.host,
        options: OPTIONS,
        env,
        supervisorPath: '/opt/muster/supervisor.js',
        onlyBoard: null,
        max: null,
        lanePositions: null,
      }
      const ignore = (): void => {}
      await runDispatcher(context, { onStandby: ignore, onLead: ignore, onPass: ignore, onTrouble: ignore }, signals)
      return 0
    })
  }

  #takeLostAnswer(): boolean {
    const loses = this.#losesAnswer
    this.#losesAnswer = false
    return loses
  }

  async #decide(verb: string, input: object): Promise<void> {
    const outcome = await this.#memory.store.decide({ verb, board: BOARD, actor: ADA, input } as Command)
    if (!outcome.ok) throw outcome.error
  }

  #planSleep(machine: SimMachine, from: number, until: number): void {
    this.kernel.plan(from - START, () => machine.sleep())
    this.kernel.plan(until - START, () => machine.wake())
  }

  async run(): Promise<SeedReport> {
    Kernel.current = this.kernel
    try {
      this.#memory.empty()
      await this.#decide('create_board', { slug: BOARD })
      for (const { id, schedule } of SERIES)
        await this.#decide('add_series', { id, schedule, timeZone: ZONE, card: { title: schedule, held: true } })
      for (const [at, machine] of this.#machines.entries()) {
        this.#startDispatcher(machine)
        // The machines sleep in turns, every fourth day.
        for (let day = 1; day < 31; day += 1)
          if (day % 4 === at * 2 && !BOTH_SLEEP.some(([from, until]) => overlaps(START + day * DAY, from, until)))
            this.#planSleep(machine, START + day * DAY, START + day * DAY + 9 * HOUR)
        for (const [from, until] of BOTH_SLEEP) this.#planSleep(machine, from, until)
      }
      while (this.kernel.now <= END && (await this.kernel.step()));
      return this.#report()
    } finally {
      Kernel.current = null
    }
  }

  #report(): SeedReport {
    const { tasks } = this.#memory.state(Number.MAX_SAFE_INTEGER)
    const violations = SERIES.flatMap((asked) => {
      const made = tasks.filter(({ series }) => series === asked.id).map(({ seriesSlot }) => seriesSlot ?? 0)
      const [expected, found] = [expectedTimes(asked), made.sort((a, b) => a - b)]
      const missing = expected.filter((at) => !found.includes(at))
      const extra = found.filter((at) => !expected.includes(at) || found.indexOf(at) !== found.lastIndexOf(at))
      return [
        ...missing.map((at) => `${asked.schedule}: no card for ${new Date(at).toISOString()}`),
        ...extra.map((at) => `${asked.schedule}: an unexpected card for ${new Date(at).toISOString()}`),
      ]
    })
    const late = tasks.filter(
      ({ createdAt, seriesSlot }) => createdAt - (seriesSlot ?? 0) > LATE_MS && !wasAsleep(createdAt),
    )
    return {
      seed: this.#seed,
      steps: this.kernel.steps,
      looks: 0,
      cards: tasks.length,
      runs: new Map(),
      faults: new Map([['crash of a dispatcher', this.#crashes]]),
      passed: new Map(),
      crashedAt: new Map(),
      violations: [
        ...violations,
        ...late.map(({ id, createdAt }) => `${id} was late at ${new Date(createdAt).toISOString()}`),
      ],
    }
  }
}

const overlaps = (day: number, from: number, until: number): boolean => day < until + DAY && day + DAY > from

/** Whether both machines had just woken at a moment. */
const wasAsleep = (at: number): boolean => BOTH_SLEEP.some(([from, until]) => at >= from && at <= until + LATE_MS)

/** The times of a series. While both machines sleep, only the last time of the sleep gets a card. */
function expectedTimes({ wall }: Asked): readonly number[] {
  const all = wall === null ? intervals() : wallTimes(wall)
  return all.filter((at) => {
    const sleep = BOTH_SLEEP.find(([from, until]) => at > from && at <= until)
    return sleep === undefined || !all.some((other) => other > at && other <= sleep[1])
  })
}

const intervals = (): readonly number[] =>
  Array.from({ length: Math.floor((END - START) / (6 * HOUR)) }, (_, at) => START + (at + 1) * 6 * HOUR)

function wallTimes({ minutes, weekDays }: NonNullable<Asked['wall']>): readonly number[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'short' })
  const seen = new Set<string>()
  const found: number[] = []
  for (let at = START + MINUTE; at <= END; at += MINUTE) {
    const shown = format.format(at)
    const [hour = 0, minute = 0] = shown.slice(11).split(':').map(Number)
    const weekDay = new Date(`${shown.slice(0, 10)}T00:00Z`).getUTCDay()
    if (!minutes.includes(hour * 60 + minute) || !weekDays.includes(weekDay)) continue
    // A repeated local time counts once, unless the series runs every hour.
    if (!seen.has(shown) || minutes.length === 24) found.push(at)
    seen.add(shown)
  }
  return found
}

/** Leases and regular passes are long, so that a month takes few steps. */
const OPTIONS: Options = {
  home: HOME,
  store: `${HOME}/muster.db`,
  board: BOARD,
  currentBoard: BOARD,
  user: 'ada',
  insideRun: null,
  server: null,
  warnings: [],
  modelKeys: [],
  machineCap: 4,
  dispatcherLeaseMs: 3 * HOUR,
  sweepMs: SWEEP_MS,
  turnEndMs: 30_000,
  terminateGraceMs: 5_000,
  killWaitMs: 5_000,
  quotaWaitMs: 120_000,
  sessionWaitMs: 120_000,
  judgeRetryMs: 5_000,
  logMaxBytes: 64 * 1024 ** 2,
  takeOverMs: 10_000,
  clockDoubtMs: 30_000,
  workspaceStaysMs: DAY,
  workspaceStaysBytes: 2 * 1024 ** 3,
  intentWaitMs: 15_000,
  verdictWaitMs: 17_000,
  versionWaitMs: 10_000,
  requestHeadersMs: 10_000,
  requestBodyMs: 120_000,
  requestDrainMs: 5_000,
  requestConnections: 1_200,
}
