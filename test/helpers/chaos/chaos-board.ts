/** What all parts of the chaos test share: one home, one store, and what has been done to them so far. */
import type { RunId, TaskId } from '../../../src/core/ids.ts'
import type { Store } from '../../../src/storage/store.ts'
import type { OutageProxy } from '../outage-proxy.ts'
import type { Engine } from '../places.ts'
import type { Random } from '../random.ts'
import type { Plan } from './worker-script.ts'

export const TARGETS = ['dispatcher', 'supervisor', 'wrapper', 'worker'] as const
export type Target = (typeof TARGETS)[number]
export const BLOWS = ['SIGKILL', 'SIGSTOP'] as const
export type Blow = (typeof BLOWS)[number]
/** Sends one signal to all processes of a run, as a logout or a service stop does. */
export const SHUTDOWN = 'shutdown of a run'
export const SHUTDOWN_SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const
export type SignalKind = `${Blow} ${Target}` | typeof SHUTDOWN
export const SIGNAL_KINDS: readonly SignalKind[] = [
  ...BLOWS.flatMap((blow) => TARGETS.map((target): SignalKind => `${blow} ${target}`)),
  SHUTDOWN,
]
/** What befalls the store: a file is replaced by an earlier copy, a server goes away when a card was claimed. */
export const DISASTERS = { sqlite: 'replaced store', postgres: 'outage after a claim' } as const
/** While another machine with the same id leads, a dispatcher is refused. A SQLite store has only one machine. */
export const SHARED_ID = 'two machines with one id'
export type Kind = SignalKind | (typeof DISASTERS)[Engine] | typeof SHARED_ID
export const kindsOn = (engine: Engine): readonly Kind[] => [
  ...SIGNAL_KINDS,
  DISASTERS[engine],
  ...(engine === 'postgres' ? ([SHARED_ID] as const) : []),
]

/** One of our processes, known so well that no other can be hit in its place. */
export interface Actor {
  readonly target: Target
  readonly pid: number
  readonly startTime: string
  /** Null for a dispatcher. */
  readonly run: RunId | null
}

/** A machine as its processes see it: its data folder, its host name, and the environment that sets both. */
export interface Machine {
  readonly home: string
  readonly hostname: string
  readonly env: NodeJS.ProcessEnv
}

export interface ChaosBoard extends Machine {
  /** Another machine with the same id but its own boot id, like two copies of one image; null on SQLite. */
  readonly twin: Machine | null
  readonly stamps: string
  readonly script: string
  readonly bin: string
  readonly store: Store
  /** Between the processes and the server of their store; null for a file. */
  readonly proxy: OutageProxy | null
  /** Whether each dispatcher makes one pass and ends, as those that cron starts. */
  readonly passesOnly: boolean
  readonly random: Random
  readonly plans: Map<TaskId, Plan>
  /** Runs that were hit, and so may end badly through no fault of the board. */
  readonly hit: Set<RunId>
  readonly blows: Map<Kind, number>
  readonly verbs: Map<string, number>
  readonly faults: Set<string>
  /** Restores that were begun: each makes the feed begin anew. */
  restores: number
  /** When the server was last out of reach; infinite while it is. */
  lastOutageAt: number
}

export const machinesOf = ({ home, hostname, env, twin }: ChaosBoard): readonly Machine[] => [
  { home, hostname, env },
  ...(twin === null ? [] : [twin]),
]

/** Runs at once on the machine; the oracle counts them. */
export const MACHINE_CAP = 4

export const count = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1)
