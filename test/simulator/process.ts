/** A simulated process: its row in the machine's process table, and its signal handlers. */
import type { ProcessExit } from '../../src/processes/spawn.ts'
import type { Host } from '../../src/processes/identity.ts'
import type { Disk } from './disk.ts'

/** The roles of processes. A `stranger` is a process that Muster did not start. */
export const ROLES = [
  'dispatcher',
  'supervisor',
  'wrapper',
  'worker',
  'watchdog',
  'check',
  'person',
  'stranger',
] as const
export type Role = (typeof ROLES)[number]

/** A server that listens on a socket path. */
export interface Socket {
  readonly server: SimProcess
  readonly nonce: string
  readonly answer: (op: string, input: unknown) => Promise<unknown>
}

/** A machine as its processes and the simulation see it. */
export interface Machine {
  readonly name: string
  readonly disk: Disk
  readonly host: Host
  readonly sockets: Map<string, Socket>
  readonly processes: Map<number, SimProcess>
  readonly asleep: boolean
  /** Whether the machine is cut off from the store. */
  readonly cutOff: boolean
  readonly boots: number
  /** The true time at which the machine last woke up. `affectedAt` is the true time at which a fault last hit it. */
  readonly wokeAt: number
  affectedAt: number
  /** The wall clock. */
  wall(): number
  /** The monotonic time, which stops while the machine sleeps and cannot be set. */
  running(): number
  signal(pid: number, signal: NodeJS.Signals): void
  startProcess(start: Omit<ProcessStart, 'machine'>, reusesPid: boolean): SimProcess
  /** Removes a process that has ended. Its parent is notified, and its children lose their parent. */
  removeEnded(process: SimProcess, exit: ProcessExit): void
  /** Removes a zombie after its parent was notified. */
  collect(process: SimProcess): void
}

export interface ProcessStart {
  readonly role: Role
  readonly machine: Machine
  readonly parent: SimProcess | null
  /** Whether the process leads a new session. Otherwise it joins the session of its parent. */
  readonly leads: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** The run to which the process belongs. */
  readonly run: string | null
}

export class SimProcess {
  readonly role: Role
  readonly machine: Machine
  readonly pid: number
  readonly startTime: string
  readonly group: number
  readonly session: number
  readonly env: ProcessStart['env']
  readonly run: string | null
  parent: SimProcess | null
  /** The state of the process. An ended process is a `zombie` until its parent has been notified. */
  state: 'alive' | 'zombie' | 'gone' = 'alive'
  stopped = false
  /** The monotonic time of its machine until which the process hangs in a system call, so that no signal ends it. */
  unkillableUntil = -Infinity
  /** Whether the process has a ticket of another run. The store must reject the writes of such a process. */
  forged = false
  /**
   * Whether the watchdog of the process was killed. After that, no other fault may hit the process, because Muster does
   * not handle both at once.
   */
  exempt = false
  readonly handlers = new Map<NodeJS.Signals, Set<() => void>>()
  /** How the process ended. This is null while it is alive. */
  exit: ProcessExit | null = null
  readonly onEnd: ((exit: ProcessExit) => void)[] = []

  constructor({ role, machine, parent, leads, env, run }: ProcessStart, pid: number, startTime: string) {
    this.role = role
    this.machine = machine
    this.pid = pid
    this.startTime = startTime
    this.parent = parent
    this.env = env
    this.run = run
    this.session = leads || parent === null ? pid : parent.session
    this.group = leads || parent === null ? pid : parent.group
  }

  get isAlive(): boolean {
    return this.state === 'alive'
  }

  /** The name in traces. */
  get name(): string {
    return `${this.machine.name}:${this.role}:${this.pid}`
  }
}
