/** A simulated process: its row in the machine's process table, and what wakes it. */
import type { ProcessExit } from '../../src/processes/spawn.ts'
import type { Host } from '../../src/processes/identity.ts'
import type { Disk } from './disk.ts'

/** `stranger`: a process that Muster did not start. */
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

/** What listens at the path of a socket. */
export interface Socket {
  readonly server: SimProcess
  readonly nonce: string
  readonly answer: (op: string, input: unknown) => Promise<unknown>
}

/** The machine of a process, as the process and the simulation see it. */
export interface Machine {
  readonly name: string
  readonly disk: Disk
  readonly host: Host
  readonly sockets: Map<string, Socket>
  readonly processes: Map<number, SimProcess>
  readonly asleep: boolean
  /** Whether it is cut off from the store. */
  readonly cutOff: boolean
  readonly boots: number
  /** When it last woke, and when something last befell it, by the true time. */
  readonly wokeAt: number
  troubledAt: number
  /** The clock on the wall. */
  wall(): number
  /** Monotonic time: it stops while the machine sleeps, and cannot be set. */
  running(): number
  signal(pid: number, signal: NodeJS.Signals): void
  bear(birth: Omit<Birth, 'machine'>, reusesPid: boolean): SimProcess
  /** Removes the process from the machine: its parent is notified, its children are reparented. */
  bury(process: SimProcess, exit: ProcessExit): void
  /** Its parent has been notified. */
  collect(process: SimProcess): void
}

export interface Birth {
  readonly role: Role
  readonly machine: Machine
  readonly parent: SimProcess | null
  /** Whether it leads a session of its own; otherwise it is in that of its parent. */
  readonly leads: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** The run it belongs to. */
  readonly run: string | null
}

export class SimProcess {
  readonly role: Role
  readonly machine: Machine
  readonly pid: number
  readonly startTime: string
  readonly group: number
  readonly session: number
  readonly env: Birth['env']
  readonly run: string | null
  parent: SimProcess | null
  /** `zombie` until its parent has been notified. */
  state: 'alive' | 'zombie' | 'gone' = 'alive'
  stopped = false
  /** A system call that does not return: no signal ends it before this moment of its machine's running time. */
  deafUntil = -Infinity
  /** Holds the ticket of another run, so its writes must be rejected. */
  forged = false
  /** Its watchdog is gone, so no other fault may hit it: the promises about its run could not be kept. */
  spared = false
  readonly handlers = new Map<NodeJS.Signals, Set<() => void>>()
  /** How it ended, once it has. */
  exit: ProcessExit | null = null
  readonly onEnd: ((exit: ProcessExit) => void)[] = []

  constructor({ role, machine, parent, leads, env, run }: Birth, pid: number, startTime: string) {
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

  /** For a trace. */
  get name(): string {
    return `${this.machine.name}:${this.role}:${this.pid}`
  }
}
