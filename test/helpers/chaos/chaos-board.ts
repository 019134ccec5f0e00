/**
 * The state that all parts of the chaos test share: the data folder, the store, and counts of injected faults and
 * commands.
 */
import type { RunId, TaskId } from '../../../src/core/ids.ts'
import type { Store } from '../../../src/storage/store.ts'
import type { OutageProxy } from '../outage-proxy.ts'
import type { Engine } from '../places.ts'
import type { Random } from '../random.ts'
import type { Plan } from './worker-script.ts'

export const TARGETS = ['dispatcher', 'supervisor', 'wrapper', 'worker'] as const
export type Target = (typeof TARGETS)[number]
export const SIGNALS = ['SIGKILL', 'SIGSTOP'] as const
export type SignalName = (typeof SIGNALS)[number]
/** The kind of signal that goes to all processes of a run, as a logout or a service stop sends it. */
export const SHUTDOWN = 'shutdown of a run'
export const SHUTDOWN_SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const
export type SignalKind = `${SignalName} ${Target}` | typeof SHUTDOWN
export const SIGNAL_KINDS: readonly SignalKind[] = [
  ...SIGNALS.flatMap((name) => TARGETS.map((target): SignalKind => `${name} ${target}`)),
  SHUTDOWN,
]
/**
 * The failure of the store that the test injects. On SQLite, an earlier copy replaces the file. On PostgreSQL, the
 * server fails just after a claim.
 */
export const STORE_FAILURES = { sqlite: 'replaced store', postgres: 'outage after a claim' } as const
/**
 * The count of refused dispatchers, because another machine with the same id is active. A SQLite store has only one
 * machine.
 */
export const SHARED_ID = 'two machines with one id'
export type Kind = SignalKind | (typeof STORE_FAILURES)[Engine] | typeof SHARED_ID
export const kindsOn = (engine: Engine): readonly Kind[] => [
  ...SIGNAL_KINDS,
  STORE_FAILURES[engine],
  ...(engine === 'postgres' ? ([SHARED_ID] as const) : []),
]

/** A process of the test. The start time prevents a signal to a later process with the same pid. */
export interface Actor {
  readonly target: Target
  readonly pid: number
  readonly startTime: string
  /** The run of the process. This is null for a dispatcher. */
  readonly run: RunId | null
}

/** A machine as its processes see it: its data folder, its host name, and the environment that sets both. */
export interface Machine {
  readonly home: string
  readonly hostname: string
  readonly env: NodeJS.ProcessEnv
}

export interface ChaosBoard extends Machine {
  /**
   * Another machine with the same id but its own boot id, as if both were copies of one image. This is null on SQLite.
   */
  readonly twin: Machine | null
  readonly stamps: string
  readonly script: string
  readonly bin: string
  readonly store: Store
  /** The proxy in front of the PostgreSQL server. This is null on SQLite. */
  readonly proxy: OutageProxy | null
  /** Whether each dispatcher makes one pass and exits, as under cron. */
  readonly passesOnly: boolean
  readonly random: Random
  readonly plans: Map<TaskId, Plan>
  /** Runs that received a signal. Their failures are not errors of the board. */
  readonly hit: Set<RunId>
  readonly injected: Map<Kind, number>
  readonly verbs: Map<string, number>
  readonly faults: Set<string>
  /** The number of restores that were started. Each restore restarts the feed. */
  restores: number
  /** The time at which the server was last unreachable. Infinite during an outage. */
  lastOutageAt: number
}

export const machinesOf = ({ home, hostname, env, twin }: ChaosBoard): readonly Machine[] => [
  { home, hostname, env },
  ...(twin === null ? [] : [twin]),
]

/** The maximum number of runs of the machine at a time. The oracle checks this limit. */
export const MACHINE_CAP = 4

export const count = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1)
