/** Injects faults into a simulation and counts them. */
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

export interface FaultContext {
  readonly kernel: Kernel
  readonly truth: Truth
  /** The machines that faults may hit. */
  readonly machines: readonly SimMachine[]
  /** The probability of a fault between two steps. */
  readonly faultChance: number
  /** Whether machines share the store over a network. */
  readonly shared: boolean
  /** Moves the clock of the store's server by this many milliseconds. */
  readonly setStoreClock: (ms: number) => void
  /** Whether stopped supervisors stay stopped, so that only dispatchers can end their runs. */
  readonly leavesStopped: boolean
  /** Starts a supervisor with the ticket of another run. */
  startStray(): boolean
  /** Reboots the machine. */
  restart(machine: SimMachine): void
  /** Restores an earlier copy of the store while processes run. Returns false, because the restore happens later. */
  replaceStore(): boolean
  /** Wakes every process on a machine that watches the store. */
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
  /** The number of times that processes passed each await. `crashedAt` has the number of crashes at each await. */
  readonly passed = new Map<string, number>()
  readonly crashedAt = new Map<string, number>()
  isActive = true
  readonly #context: FaultContext
  readonly #timed: readonly [rate: number, act: () => boolean, fault: Fault][]

  constructor(context: FaultContext) {
    this.#context = context
    const { shared } = context
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
      // This fault is not used with several machines, because another machine may take over after the lease expires,
      // while the process is still alive.
      [shared ? 0 : 2, () => this.#makeUnkillable(), 'process that cannot be killed'],
      [2, () => context.startStray(), 'stray supervisor'],
      [shared ? 0 : 2, () => this.#fillDisk(), 'full disk'],
      [2, () => this.#setClock(1), 'clock set forward'],
      [2, () => this.#setClock(-1), 'clock set back'],
      [2, () => this.#sleep(), 'sleep'],
      [1, () => this.#reboot(), 'reboot'],
      // This fault is not used with several machines, because a PostgreSQL server is restored with its own tools.
      [shared ? 0 : 3, () => context.replaceStore(), 'replaced store'],
      [shared ? 6 : 0, () => this.#partition(), 'partition'],
    ]
  }

  count(fault: Fault): void {
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1)
  }

  /** Called between two steps. Sometimes it injects a fault. */
  injectSometimes(): void {
    const { random } = this.#context.kernel
    if (!this.isActive || !random.chance(this.#context.faultChance)) return
    const chosen = random.weighted(this.#timed.map((one) => [one[0], one] as const))
    if (chosen === undefined || !chosen[1]()) return
    this.#context.kernel.trace?.(`*** ${chosen[2]}`)
    this.count(chosen[2])
  }

  onAwait(process: SimProcess, label: string): void {
    const fault = CRASHED[process.role]
    if (fault === undefined || !this.isActive || process.exempt) return
    const place = `${process.role} at ${label}`
    this.passed.set(place, (this.passed.get(place) ?? 0) + 1)
    if (!this.#context.kernel.random.chance(process.role === 'supervisor' ? 0.012 : 0.005)) return
    this.crashedAt.set(place, (this.crashedAt.get(place) ?? 0) + 1)
    this.count(fault)
    this.#context.kernel.trace?.(`*** ${fault} at ${label}`)
    this.#markAffected(process)
    this.#context.kernel.end(process, { code: null, signal: 'SIGKILL' })
  }

  deliveries(): number {
    const { random } = this.#context.kernel
    if (!this.isActive) return 1
    if (random.chance(0.1)) return this.#counted('lost wake-up', 0)
    return random.chance(0.1) ? this.#counted('doubled wake-up', 2) : 1
  }

  #counted<T>(fault: Fault, value: T): T {
    this.count(fault)
    return value
  }

  #now(share: number, fault: Fault): boolean {
    return this.isActive && this.#context.kernel.random.chance(share) && this.#counted(fault, true)
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

  /** A signal from outside Muster excuses later failures of the run. Muster's own signals do not. */
  onSignal(process: SimProcess, signal: NodeJS.Signals, by: SimProcess | null): void {
    if (process.run === null || signal === 'SIGCONT') return
    const truth = this.#context.truth.of(process.run)
    const works = process.role === 'wrapper' || process.role === 'worker'
    // A check that gets a signal counts as failed, because its parent sends the signal after the time limit of the
    // check.
    if (process.role === 'check') truth.checkFailed = true
    if (by !== null) {
      truth.ended ||= works
      return
    }
    truth.killed ||= works && signal === 'SIGKILL'
    truth.affected = true
  }

  onDeath(): void {}

  /** A fault that hits a supervisor affects its run. A fault that hits a dispatcher affects all runs of its machine. */
  #markAffected(process: SimProcess): void {
    if (process.run !== null) this.#context.truth.of(process.run).affected = true
    else this.markMachineAffected(process.machine)
  }

  markMachineAffected(machine: Machine): void {
    for (const { run } of machine.processes.values()) if (run !== null) this.#context.truth.of(run).affected = true
    machine.affectedAt = this.#context.kernel.now
  }

  #pickProcess(role: Role): SimProcess | undefined {
    const { kernel, machines } = this.#context
    return kernel.random.pick(
      machines.flatMap((machine) =>
        [...machine.processes.values()].filter(
          (one) => one.role === role && one.isAlive && !one.stopped && !one.exempt,
        ),
      ),
    )
  }

  #signal(role: Role, signal: NodeJS.Signals): boolean {
    const process = this.#pickProcess(role)
    if (process === undefined) return false
    this.#markAffected(process)
    this.#context.kernel.deliver(process, signal)
    return true
  }

  /** Sends one signal to all processes of a run in any order, as a logout or a service stop does. */
  #shutDown(): boolean {
    const { kernel } = this.#context
    const supervisor = this.#pickProcess('supervisor')
    if (supervisor === undefined || supervisor.run === null) return false
    const signal = kernel.random.pick(['SIGTERM', 'SIGHUP', 'SIGINT'] as const) ?? 'SIGTERM'
    const { processes } = supervisor.machine
    const own = [...processes.values()].filter(
      ({ run, role, isAlive }) => run === supervisor.run && isAlive && SHUT_DOWN.includes(role),
    )
    this.#markAffected(supervisor)
    this.#context.truth.of(supervisor.run).shutDownAt = kernel.now
    for (let left = own; left.length > 0;) {
      const next = kernel.random.pick(left)
      left = left.filter((one) => one !== next)
      if (next === undefined) continue
      // The supervisor may get its signal after the other processes, but within the grace period.
      if (next === supervisor && kernel.random.chance(0.6))
        kernel.plan(kernel.random.duration(1, 1_500), () => next.isAlive && kernel.deliver(next, signal))
      else kernel.deliver(next, signal)
    }
    return true
  }

  /** Makes the server unreachable just after a claim, so the supervisor cannot register. */
  onClaim(machine: Machine): void {
    const { kernel, shared, machines } = this.#context
    const hit = machines.find((one) => one === machine)
    if (!shared || hit === undefined || hit.cutOff || !this.#now(0.04, 'outage after a claim')) return
    this.markMachineAffected(hit)
    hit.cutOff = true
    kernel.plan(kernel.random.duration(5_000, 90_000), () => this.#reconnect(hit))
  }

  #killWatchdog(): boolean {
    const watchdog = this.#pickProcess('watchdog')
    if (watchdog?.parent == null || watchdog.parent.stopped) return false
    watchdog.parent.exempt = true
    this.#context.kernel.deliver(watchdog, 'SIGKILL')
    return true
  }

  /** Stops a process for a random time, which may be so long that its run is recovered earlier. */
  #stop(role: Role): boolean {
    const { kernel } = this.#context
    const process = this.#pickProcess(role)
    if (process === undefined) return false
    this.#markAffected(process)
    if (process.run !== null && role === 'supervisor') this.#context.truth.of(process.run).stoppedAt = kernel.now
    kernel.deliver(process, 'SIGSTOP')
    kernel.plan(kernel.random.duration(100, 600_000), () => {
      if (!process.isAlive || (!this.isActive && this.#isLeftStopped(process))) return
      this.#markAffected(process)
      kernel.deliver(process, 'SIGCONT')
    })
    return true
  }

  #makeUnkillable(): boolean {
    const process = this.#pickProcess('worker')
    if (process === undefined) return false
    process.unkillableUntil = process.machine.running() + this.#context.kernel.random.duration(1_000, 120_000)
    return true
  }

  #machine(): SimMachine | undefined {
    const { kernel, machines } = this.#context
    return kernel.random.pick(machines.filter(({ asleep }) => !asleep))
  }

  #fillDisk(): boolean {
    const { kernel } = this.#context
    const machine = this.#machine()
    if (machine === undefined || machine.disk.full) return false
    this.markMachineAffected(machine)
    machine.disk.full = true
    kernel.plan(kernel.random.duration(500, 120_000), () => {
      this.markMachineAffected(machine)
      machine.disk.full = false
    })
    return true
  }

  #setClock(sign: 1 | -1): boolean {
    const { kernel, shared, machines, setStoreClock } = this.#context
    const ms = sign * kernel.random.duration(1_000, 600_000)
    if (shared && kernel.random.chance(0.5)) {
      for (const machine of machines) this.markMachineAffected(machine)
      setStoreClock(ms)
      return true
    }
    const machine = this.#machine()
    if (machine === undefined) return false
    this.markMachineAffected(machine)
    machine.setClock(machine.clockOffset + ms)
    return true
  }

  #sleep(): boolean {
    const { kernel } = this.#context
    const machine = this.#machine()
    if (machine === undefined) return false
    this.markMachineAffected(machine)
    machine.sleep()
    kernel.plan(kernel.random.duration(1_000, 3_600_000), () => {
      if (!machine.asleep) return
      machine.wake()
      machine.wokeAt = kernel.now
      this.markMachineAffected(machine)
    })
    return true
  }

  #reboot(): boolean {
    const machine = this.#machine()
    if (machine === undefined) return false
    this.markMachineAffected(machine)
    this.#context.restart(machine)
    return true
  }

  #partition(): boolean {
    const { kernel } = this.#context
    const machine = this.#machine()
    if (machine === undefined || machine.cutOff) return false
    this.markMachineAffected(machine)
    machine.cutOff = true
    kernel.plan(kernel.random.duration(2_000, 400_000), () => this.#reconnect(machine))
    return true
  }

  #reconnect(machine: SimMachine): void {
    this.markMachineAffected(machine)
    machine.cutOff = false
    this.#context.ring(machine)
  }

  #isLeftStopped({ role }: SimProcess): boolean {
    return this.#context.leavesStopped && role === 'supervisor'
  }

  /** Stops injecting faults, and repairs everything that a person would repair or that would end with time. */
  clear(): void {
    this.isActive = false
    for (const machine of this.#context.machines) {
      this.markMachineAffected(machine)
      if (machine.asleep) machine.wake()
      machine.wokeAt = this.#context.kernel.now
      machine.disk.full = false
      machine.cutOff = false
      for (const process of machine.processes.values())
        if (process.stopped && !this.#isLeftStopped(process)) this.#context.kernel.deliver(process, 'SIGCONT')
      this.#context.ring(machine)
    }
  }
}
