/** A simulated process: what its machine's process table says of it, and what wakes it. */
import type { ProcessExit } from '../../src/workers/spawn.ts'
import type { SimMachine } from './machine.ts'

export const ROLES = ['dispatcher', 'supervisor', 'wrapper', 'worker', 'watchdog', 'check', 'person'] as const
export type Role = (typeof ROLES)[number]

export interface Birth {
  readonly role: Role
  readonly machine: SimMachine
  readonly parent: SimProcess | null
  /** Whether it leads a session of its own; otherwise it is in that of its parent. */
  readonly leads: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** The run it belongs to. */
  readonly run: string | null
}

export class SimProcess {
  readonly role: Role
  readonly machine: SimMachine
  readonly pid: number
  readonly startTime: string
  readonly group: number
  readonly session: number
  readonly env: Birth['env']
  readonly run: string | null
  parent: SimProcess | null
  /** `zombie` until its parent has been told. */
  state: 'alive' | 'zombie' | 'gone' = 'alive'
  stopped = false
  /** A system call that does not return: no signal ends it before this moment of its machine's running time. */
  deafUntil = -Infinity
  readonly handlers = new Map<NodeJS.Signals, Set<() => void>>()
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
