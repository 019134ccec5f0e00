/**
 * Finds out whether a dispatcher starts ready cards. A live process does not prove this: a dispatcher that is
 * suspended, or cannot write to a full disk, no longer renews its lease.
 */
import type { Dispatcher } from '../../core/limits/lease.ts'
import type { Store } from '../../storage/store.ts'
import { livenessOf } from '../../processes/identity.ts'
import type { Host } from '../../processes/identity.ts'
import { readUsage } from '../../processes/process-usage.ts'

export type DispatcherState =
  | { readonly is: 'active' | 'absent' }
  /**
   * The dispatcher is alive on this machine but has not renewed its lease, which ended at `since`. `suspended` is true
   * if a person stopped the process with Ctrl-Z.
   */
  | { readonly is: 'hung'; readonly pid: number; readonly since: number; readonly suspended: boolean }

type HungDispatcher = Extract<DispatcherState, { is: 'hung' }>

export interface Dispatchers {
  /** The state of this machine's dispatcher. */
  readonly own: DispatcherState
  /** The machines with an active dispatcher. */
  readonly active: ReadonlySet<string>
  /** The dispatchers of all machines, active or not. */
  readonly all: readonly Dispatcher[]
}

/**
 * Finds the dispatchers of all machines. For a process on another machine or in another container, only its lease
 * counts.
 */
export async function findDispatchers(store: Pick<Store, 'engine' | 'dispatchers' | 'now'>, host: Host | null) {
  const [all, now] = await Promise.all([store.dispatchers(), store.now()])
  const seen = all.map((one) => ({
    ...one,
    liveness: host === null ? 'unseen' : livenessOf(host, one.identity, store),
  }))
  const active = seen.filter(({ liveness, leaseUntil }) => liveness !== 'dead' && leaseUntil > now)
  const own = seen.find(({ machine }) => machine === host?.machine.id)
  const machines = new Set(active.map(({ machine }) => machine))
  return { own: ownState(own, machines), active: machines, all } satisfies Dispatchers
}

type Seen = Awaited<ReturnType<Store['dispatchers']>>[number] & { readonly liveness: string }

function ownState(own: Seen | undefined, active: ReadonlySet<string>): DispatcherState {
  if (own === undefined) return { is: 'absent' }
  if (active.has(own.machine)) return { is: 'active' }
  if (own.liveness !== 'alive') return { is: 'absent' }
  const { pid } = own.identity
  return { is: 'hung', pid, since: own.leaseUntil, suspended: readUsage([pid])[0]?.state === 'stopped' }
}

/** The state of the dispatcher on `machine`. If `machine` is null, a dispatcher on any machine counts. */
export function dispatcherOf({ own, active }: Dispatchers, machine: string | null, host: Host | null): DispatcherState {
  if (machine !== null && machine !== host?.machine.id) return { is: active.has(machine) ? 'active' : 'absent' }
  return machine === null && active.size > 0 ? { is: 'active' } : own
}

/** Describes a dispatcher that is not active, and how a person can fix this. */
export const inactiveText = (state: DispatcherState): string =>
  state.is === 'hung' ? hungText(state) : "Muster isn't running. Start it with: muster up."

/** Explains how a person can fix a dispatcher that is alive but does not work. */
export const hungText = ({ pid, suspended }: Pick<HungDispatcher, 'pid' | 'suspended'>): string =>
  suspended
    ? `Muster (pid ${pid}) is suspended. Continue Muster with fg in its terminal, or run: kill -CONT ${pid}`
    : `Muster (pid ${pid}) is not responding. Stop it with kill -9 ${pid}, then run: muster up`
