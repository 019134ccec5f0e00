/** What goes wrong in a simulation, how often, and how often it did. */
import type { Observer } from './kernel.ts'
import type { Kernel } from './kernel.ts'
import type { SimMachine } from './machine.ts'
import type { Machine, Role, SimProcess } from './process.ts'
import type { Truth } from './truth.ts'

export const FAULTS = [
  'crash of a dispatcher',
  'crash of a supervisor',
  'kill of a wrapper',
  'kill of a worker',
  'kill of a watchdog',
  'stop of a dispatcher',
  'stop of a supervisor',
  'stop of a worker',
  'SIGTERM to a dispatcher',
  'SIGTERM to a supervisor',
  'shutdown of a run',
  'outage after a claim',
  'two machines with one id',
  'separate passes only',
  'replaced store',
  'process that cannot be killed',
  'pid used again',
  'refused start',
  'stray supervisor',
  'lost wake-up',
  'doubled wake-up',
  'lost answer of the store',
  'busy store',
  'full disk',
  'clock set forward',
  'clock set back',
  'sleep',
  'reboot',
  'partition',
] as const
export type Fault = (typeof FAULTS)[number]

export interface Stage {
  readonly kernel: Kernel
  readonly truth: Truth
  /** Machines that may be hit. */
  readonly machines: readonly SimMachine[]
  /** How likely a fault is between two steps. */
  readonly strikes: number
  /** Whether machines share the store over a network. */
  readonly shared: boolean
  /** Sets the clock of a server by so much. */
  readonly setStoreClock: (ms: number) => void
  /** Whether a stopped supervisor is left stopped for good: then only dispatchers can end its run. */
  readonly leavesStopped: boolean
  /** Starts a supervisor with the ticket of another run. */
  startStray(): boolean
  /** Everything on the machine begins anew. */
  restart(machine: SimMachine): void
  /** Restores an earlier copy of the store, beside all that runs; false, as it happens later. */
  replaceStore(): boolean
  /** Wakes every process on this machine that watches the store. */
  ring(machine: SimMachine): void
}

/** The processes of a run that a service manager signals. */
const SHUT_DOWN: readonly Role[] = ['supervisor', 'wrapper', 'worker', 'check']

const CRASHED: Partial<Record<Role, Fault>> = {
  dispatcher: 'crash of a dispatcher',
  supervisor: 'crash of a supervisor',
}

export class Faults implements Observer {
  readonly counts = new Map<Fault, number>()
  /** Awaits at which a process came by, and was ended. */
  readonly passed = new Map<string, number>()
  readonly crashedAt = new Map<string, number>()
  stormy = true
  readonly #stage: Stage
  readonly #timed: readonly [rate: number, act: () => boolean, fault: Fault][]

  constructor(stage: Stage) {
    this.#stage = stage
    const { shared } = stage
    this.#timed = [
      [4, () => this.#signal('wrapper', 'SIGKILL'), 'kill of a wrapper'],
      [4, () => this.#signal('worker', 'SIGKILL'), 'kill of a worker'],
      [shared ? 6 : 0, () => this.#killWatchdog(), 'kill of a watchdog'],
      [3, () => this.#stop('dispatcher'), 'stop of a dispatcher'],
      [3, () => this.#stop('supervisor'), 'stop of a supervisor'],
      [2, () => this.#stop('worker'), 'stop of a worker'],
      [3, () => this.#signal('dispatcher', 'SIGTERM'), 'SIGTERM to a dispatcher'],
      [2, () => this.#signal('supervisor', 'SIGTERM'), 'SIGTERM to a supervisor'],
      [4, () => this.#shutDown(), 'shutdown of a run'],
      // Where another machine may take over after a lease, nothing can be promised of what no signal ends.
      [shared ? 0 : 2, () => this.#deafen(), 'process that cannot be killed'],
      [2, () => stage.startStray(), 'stray supervisor'],
      [shared ? 0 : 2, () => this.#fillDisk(), 'full disk'],
      [2, () => this.#setClock(1), 'clock set forward'],
      [2, () => this.#setClock(-1), 'clock set back'],
      [2, () => this.#sleep(), 'sleep'],
      [1, () => this.#reboot(), 'reboot'],
      // A server is restored by its own tools.
      [shared ? 0 : 3, () => stage.replaceStore(), 'replaced store'],
      [shared ? 6 : 0, () => this.#partition(), 'partition'],
    ]
  }

  count(fault: Fault): void {
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1)
  }

  /** Between two steps. */
  strike(): void {
    const { random } = this.#stage.kernel
    if (!this.stormy || !random.chance(this.#stage.strikes)) return
    const chosen = random.weighted(this.#timed.map((one) => [one[0], one] as const))
    if (chosen === undefined || !chosen[1]()) return
    this.#stage.kernel.trace?.(`*** ${chosen[2]}`)
    this.count(chosen[2])
  }

  onAwait(process: SimProcess, label: string): void {
    const fault = CRASHED[process.role]
    if (fault === undefined || !this.stormy || process.spared) return
    const place = `${process.role} at ${label}`
    this.passed.set(place, (this.passed.get(place) ?? 0) + 1)
    if (!this.#stage.kernel.random.chance(process.role === 'supervisor' ? 0.012 : 0.005)) return
    this.crashedAt.set(place, (this.crashedAt.get(place) ?? 0) + 1)
    this.count(fault)
    this.#stage.kernel.trace?.(`*** ${fault} at ${label}`)
    this.#trouble(process)
    this.#stage.kernel.end(process, { code: null, signal: 'SIGKILL' })
  }

  deliveries(): number {
    const { random } = this.#stage.kernel
    if (!this.stormy) return 1
    if (random.chance(0.1)) return this.#counted('lost wake-up', 0)
    return random.chance(0.1) ? this.#counted('doubled wake-up', 2) : 1
  }

  #counted<T>(fault: Fault, value: T): T {
    this.count(fault)
    return value
  }

  #now(share: number, fault: Fault): boolean {
    return this.stormy && this.#stage.kernel.random.chance(share) && this.#counted(fault, true)
  }

  reusesPid(): boolean {
    return this.#now(0.5, 'pid used again')
  }

  refusesStart(): boolean {
    return this.#now(0.02, 'refused start')
  }

  losesAnswer(): boolean {
    return this.#now(0.01, 'lost answer of the store')
  }

  isBusy(): boolean {
    return this.#now(0.01, 'busy store')
  }

  /** A signal from outside falls on the truth of the run; our own do not. */
  onSignal(process: SimProcess, signal: NodeJS.Signals, by: SimProcess | null): void {
    if (process.run === null || signal === 'SIGCONT') return
    // The process that runs a check ends it when it takes too long.
    const truth = this.#stage.truth.of(process.run)
    const works = process.role === 'wrapper' || process.role === 'worker'
    if (process.role === 'check') truth.checkFailed = true
    if (by !== null) {
      truth.ended ||= works
      return
    }
    truth.killed ||= works && signal === 'SIGKILL'
    truth.troubled = true
  }

  onDeath(): void {}

  /** What looks after runs was hit: all of its machine may suffer for it. */
  #trouble(process: SimProcess): void {
    if (process.run !== null) this.#stage.truth.of(process.run).troubled = true
    else this.troubleMachine(process.machine)
  }

  troubleMachine(machine: Machine): void {
    for (const { run } of machine.processes.values()) if (run !== null) this.#stage.truth.of(run).troubled = true
    machine.troubledAt = this.#stage.kernel.now
  }

  #victim(role: Role): SimProcess | undefined {
    const { kernel, machines } = this.#stage
    return kernel.random.pick(
      machines.flatMap((machine) =>
        [...machine.processes.values()].filter(
          (one) => one.role === role && one.isAlive && !one.stopped && !one.spared,
        ),
      ),
    )
  }

  #signal(role: Role, signal: NodeJS.Signals): boolean {
    const process = this.#victim(role)
    if (process === undefined) return false
    this.#trouble(process)
    this.#stage.kernel.deliver(process, signal)
    return true
  }

  /** A logout or a service stop: one signal to all processes of a run, in any order. */
  #shutDown(): boolean {
    const { kernel } = this.#stage
    const supervisor = this.#victim('supervisor')
    if (supervisor === undefined || supervisor.run === null) return false
    const signal = kernel.random.pick(['SIGTERM', 'SIGHUP', 'SIGINT'] as const) ?? 'SIGTERM'
    const { processes } = supervisor.machine
    const own = [...processes.values()].filter(
      ({ run, role, isAlive }) => run === supervisor.run && isAlive && SHUT_DOWN.includes(role),
    )
    this.#trouble(supervisor)
    this.#stage.truth.of(supervisor.run).shutDownAt = kernel.now
    for (let left = own; left.length > 0;) {
      const next = kernel.random.pick(left)
      left = left.filter((one) => one !== next)
      if (next === undefined) continue
      // Its supervisor may be the last that a service manager comes to, within the grace.
      if (next === supervisor && kernel.random.chance(0.6))
        kernel.plan(kernel.random.duration(1, 1_500), () => next.isAlive && kernel.deliver(next, signal))
      else kernel.deliver(next, signal)
    }
    return true
  }

  /** The server is gone just when a run was claimed: its supervisor cannot register. */
  onClaim(machine: Machine): void {
    const { kernel, shared, machines } = this.#stage
    const hit = machines.find((one) => one === machine)
    if (!shared || hit === undefined || hit.cutOff || !this.#now(0.04, 'outage after a claim')) return
    this.troubleMachine(hit)
    hit.cutOff = true
    kernel.plan(kernel.random.duration(5_000, 90_000), () => this.#heal(hit))
  }

  #killWatchdog(): boolean {
    const watchdog = this.#victim('watchdog')
    if (watchdog?.parent == null || watchdog.parent.stopped) return false
    watchdog.parent.spared = true
    this.#stage.kernel.deliver(watchdog, 'SIGKILL')
    return true
  }

  /** Stops it for a moment, or until its run is recovered. */
  #stop(role: Role): boolean {
    const { kernel } = this.#stage
    const process = this.#victim(role)
    if (process === undefined) return false
    this.#trouble(process)
    if (process.run !== null && role === 'supervisor') this.#stage.truth.of(process.run).stoppedAt = kernel.now
    kernel.deliver(process, 'SIGSTOP')
    kernel.plan(kernel.random.duration(100, 600_000), () => {
      if (!process.isAlive || (!this.stormy && this.#isLeftStopped(process))) return
      this.#trouble(process)
      kernel.deliver(process, 'SIGCONT')
    })
    return true
  }

  #deafen(): boolean {
    const process = this.#victim('worker')
    if (process === undefined) return false
    process.deafUntil = process.machine.running() + this.#stage.kernel.random.duration(1_000, 120_000)
    return true
  }

  #machine(): SimMachine | undefined {
    const { kernel, machines } = this.#stage
    return kernel.random.pick(machines.filter(({ asleep }) => !asleep))
  }

  #fillDisk(): boolean {
    const { kernel } = this.#stage
    const machine = this.#machine()
    if (machine === undefined || machine.disk.full) return false
    this.troubleMachine(machine)
    machine.disk.full = true
    kernel.plan(kernel.random.duration(500, 120_000), () => {
      this.troubleMachine(machine)
      machine.disk.full = false
    })
    return true
  }

  #setClock(sign: 1 | -1): boolean {
    const { kernel, shared, machines, setStoreClock } = this.#stage
    const ms = sign * kernel.random.duration(1_000, 600_000)
    if (shared && kernel.random.chance(0.5)) {
      for (const machine of machines) this.troubleMachine(machine)
      setStoreClock(ms)
      return true
    }
    const machine = this.#machine()
    if (machine === undefined) return false
    this.troubleMachine(machine)
    machine.setClock(machine.clockOffset + ms)
    return true
  }

  #sleep(): boolean {
    const { kernel } = this.#stage
    const machine = this.#machine()
    if (machine === undefined) return false
    this.troubleMachine(machine)
    machine.sleep()
    kernel.plan(kernel.random.duration(1_000, 3_600_000), () => {
      if (!machine.asleep) return
      machine.wake()
      machine.wokeAt = kernel.now
      this.troubleMachine(machine)
    })
    return true
  }

  #reboot(): boolean {
    const machine = this.#machine()
    if (machine === undefined) return false
    this.troubleMachine(machine)
    this.#stage.restart(machine)
    return true
  }

  #partition(): boolean {
    const { kernel } = this.#stage
    const machine = this.#machine()
    if (machine === undefined || machine.cutOff) return false
    this.troubleMachine(machine)
    machine.cutOff = true
    kernel.plan(kernel.random.duration(2_000, 400_000), () => this.#heal(machine))
    return true
  }

  #heal(machine: SimMachine): void {
    this.troubleMachine(machine)
    machine.cutOff = false
    this.#stage.ring(machine)
  }

  #isLeftStopped({ role }: SimProcess): boolean {
    return this.#stage.leavesStopped && role === 'supervisor'
  }

  /** The end of the storm: everything that a person or time would mend is mended. */
  clear(): void {
    this.stormy = false
    for (const machine of this.#stage.machines) {
      this.troubleMachine(machine)
      if (machine.asleep) machine.wake()
      machine.wokeAt = this.#stage.kernel.now
      machine.disk.full = false
      machine.cutOff = false
      for (const process of machine.processes.values())
        if (process.stopped && !this.#isLeftStopped(process)) this.#stage.kernel.deliver(process, 'SIGCONT')
      this.#stage.ring(machine)
    }
  }
}
