/** A simulated machine: its clocks, its disk and its processes. */
import { createHash } from 'node:crypto'
import type { Host } from '../../src/processes/identity.ts'
import type { ProcessInfo } from '../../src/processes/process-table.ts'
import type { ProcessExit } from '../../src/processes/spawn.ts'
import { Disk } from './disk.ts'
import { SimProcess } from './process.ts'
import type { ProcessStart, Machine, Socket } from './process.ts'

const FIRST_PID = 300

/** The parts of the kernel that a machine uses: the true time, and the delivery of signals. */
export interface MachineKernel {
  /** The time that no clock of a machine can change. */
  readonly now: number
  deliver(process: SimProcess, signal: NodeJS.Signals): void
}

export class SimMachine implements Machine {
  readonly name: string
  readonly disk: Disk
  readonly sockets = new Map<string, Socket>()
  readonly processes = new Map<number, SimProcess>()
  /** Processes since the last boot that Muster did not start and must never signal. */
  readonly strangers: SimProcess[] = []
  /** Whether the wall clock was ever set back. Deadlines that were set before that change are too late. */
  clockWentBack = false
  asleep = false
  boots = 1
  wokeAt = -Infinity
  affectedAt = -Infinity
  readonly #kernel: MachineKernel
  /** The milliseconds by which the wall clock of the machine is ahead of the true time. */
  #clockOffset = 0
  #slept = 0
  #fellAsleepAt = 0
  #nextPid = FIRST_PID
  #starts = 0
  #wereAlive: readonly SimProcess[] = []

  /** The outages of this machine, in true time. The last outage may still continue. */
  readonly #outages: { readonly from: number; to: number }[] = []
  readonly #idName: string

  /** The machine id is derived from `idName`, which copies of one image share. */
  constructor(name: string, kernel: MachineKernel, idName = name) {
    this.name = name
    this.#idName = idName
    this.#kernel = kernel
    this.disk = new Disk(() => this.wall())
  }

  get cutOff(): boolean {
    return this.#outages.at(-1)?.to === Infinity
  }

  set cutOff(isCut: boolean) {
    const last = this.#outages.at(-1)
    if (isCut === this.cutOff) return
    if (isCut) this.#outages.push({ from: this.#kernel.now, to: Infinity })
    else if (last !== undefined) last.to = this.#kernel.now
  }

  /** Returns the longest outage since a true time. */
  longestOutage(since: number): number {
    const spans = this.#outages.map(({ from, to }) => Math.min(to, this.#kernel.now) - Math.max(from, since))
    return Math.max(0, ...spans)
  }

  wall(): number {
    return Math.floor(this.#kernel.now) + this.#clockOffset
  }

  setClock(offset: number): void {
    this.clockWentBack ||= offset < this.#clockOffset
    this.#clockOffset = offset
  }

  get clockOffset(): number {
    return this.#clockOffset
  }

  running(): number {
    return (this.asleep ? this.#fellAsleepAt : this.#kernel.now) - this.#slept
  }

  sleep(): void {
    this.asleep = true
    this.#fellAsleepAt = this.#kernel.now
  }

  wake(): void {
    this.asleep = false
    this.#slept += this.#kernel.now - this.#fellAsleepAt
  }

  get host(): Host {
    const id = `m_${createHash('sha256').update(this.#idName).digest('hex').slice(0, 16)}`
    return {
      machine: { id, bootId: `boot-${this.name}-${this.boots}`, pidNamespace: null },
      processes: {
        read: (pid) => this.#info(this.processes.get(pid)),
        list: () => [...this.processes.values()].flatMap((process) => this.#info(process) ?? []),
        hasEnvironment: (pid, entry) => {
          const at = entry.indexOf('=')
          return this.processes.get(pid)?.env[entry.slice(0, at)] === entry.slice(at + 1)
        },
        signal: (pid, signal) => this.signal(pid, signal),
      },
    }
  }

  #info(process: SimProcess | undefined): ProcessInfo | null {
    if (process === undefined) return null
    const { pid, parent, group, session, state, startTime } = process
    return { pid, parent: parent?.pid ?? 1, group, session, zombie: state === 'zombie', startTime }
  }

  /**
   * Starts a process. As on a real system, a pid is free only after the session and group of that pid are gone. Here a
   * free pid is often reused at once.
   */
  startProcess(start: Omit<ProcessStart, 'machine'>, reusesPid: boolean): SimProcess {
    this.#starts += 1
    const free = reusesPid ? this.#freePid() : null
    while (this.processes.has(this.#nextPid)) this.#nextPid += 1
    const pid = free ?? this.#nextPid++
    const process = new SimProcess({ ...start, machine: this }, pid, String(1000 + this.#starts))
    this.processes.set(pid, process)
    return process
  }

  #freePid(): number | null {
    const taken = new Set([...this.processes.values()].flatMap(({ pid, group, session }) => [pid, group, session]))
    for (let pid = FIRST_PID; pid < this.#nextPid; pid += 1) if (!taken.has(pid)) return pid
    return null
  }

  signal(pid: number, signal: NodeJS.Signals): void {
    const meant =
      pid < 0 ? [...this.processes.values()].filter(({ group }) => group === -pid) : [this.processes.get(pid)]
    for (const process of meant) if (process?.isAlive) this.#kernel.deliver(process, signal)
  }

  removeEnded(process: SimProcess, exit: ProcessExit): void {
    process.state = process.parent?.isAlive ? 'zombie' : 'gone'
    process.exit = exit
    for (const [path, { server }] of this.sockets) if (server === process) this.sockets.delete(path)
    this.disk.unwatch(process)
    for (const child of this.processes.values()) if (child.parent === process) this.#orphan(child)
    if (process.state === 'gone') this.processes.delete(process.pid)
    for (const tell of process.onEnd) tell(exit)
  }

  #orphan(child: SimProcess): void {
    child.parent = null
    if (child.state === 'zombie') this.collect(child)
  }

  collect(process: SimProcess): void {
    process.state = 'gone'
    if (this.processes.get(process.pid) === process) this.processes.delete(process.pid)
  }

  /** Ends all processes and loses unsynced data. */
  powerOff(): void {
    this.#wereAlive = [...this.processes.values()].filter(({ role, isAlive }) => role === 'supervisor' && isAlive)
    for (const process of this.processes.values()) process.state = 'gone'
    this.processes.clear()
    this.sockets.clear()
    this.strangers.length = 0
    this.disk.loseUnsynced()
    this.boots += 1
    this.asleep = false
  }

  /**
   * Boots the machine. Pids and start times begin again, so an unrelated process may get the pid and start time of an
   * earlier supervisor.
   */
  boot(reusesPid: () => boolean): void {
    this.#nextPid = FIRST_PID
    this.#starts = 0
    for (const { pid, startTime } of this.#wereAlive) {
      if (!reusesPid()) continue
      const start = { role: 'stranger', parent: null, leads: true, env: {}, run: null, machine: this } as const
      const stranger = new SimProcess(start, pid, startTime)
      this.processes.set(pid, stranger)
      this.strangers.push(stranger)
    }
  }
}
