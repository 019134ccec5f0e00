import type { Account } from '../../core/account.ts'
import type { Dispatcher } from '../../core/limits/lease.ts'
import type { Run } from '../../core/run.ts'
import { STATUSES } from '../../core/vocabulary.ts'
import type { Store } from '../../storage/store.ts'
import { gauge } from './metric-text.ts'
import type { Metric } from './metric-text.ts'

export interface StoreState {
  readonly now: number
  readonly openRuns: readonly Run[]
  readonly metrics: readonly Metric[]
}

/**
 * Reads the state of the store for metrics. It reads only counters and short lists, so its cost does not grow with the
 * boards.
 */
export async function readStoreMetrics(store: Store): Promise<StoreState> {
  const [boards, openRuns, accounts, dispatchers, now] = await Promise.all([
    store.boards(),
    store.openRuns(null),
    store.accounts(),
    store.dispatchers(),
    store.now(),
  ])
  const slugs = boards.flatMap(({ slug, archivedAt }) => (archivedAt === null ? [slug] : []))
  const metrics = [
    ...(await cardMetrics(store, slugs, now)),
    ...runMetrics(openRuns, now),
    ...accountMetrics(accounts),
    ...dispatcherMetrics(dispatchers, now),
  ]
  return { now, openRuns, metrics }
}

async function cardMetrics(store: Store, boards: readonly string[], now: number): Promise<Metric[]> {
  const counts = await Promise.all(boards.map((board) => store.counts(board)))
  const waits = await Promise.all(boards.map((board) => store.readySince(board)))
  return [
    gauge(
      'muster_cards',
      'Cards by board and status.',
      boards.flatMap((board, at) =>
        STATUSES.map((status) => ({ labels: { board, status }, value: counts[at]?.[status] ?? 0 })),
      ),
    ),
    gauge(
      'muster_ready_age_seconds',
      'Age of the oldest ready card of each board.',
      boards.map((board, at) => ({ labels: { board }, value: secondsBetween(waits[at] ?? now, now) })),
    ),
  ]
}

const runMetrics = (runs: readonly Run[], now: number): Metric[] => [
  gauge('muster_runs_open', 'Runs that are open.', [{ value: runs.length }]),
  gauge(
    'muster_lease_left_seconds',
    'Time until the lease of each open run ends; negative after it has ended.',
    runs.flatMap(({ id: run, leaseUntil }) =>
      leaseUntil === null ? [] : [{ labels: { run }, value: (leaseUntil - now) / 1000 }],
    ),
  ),
]

const accountMetrics = (accounts: readonly Account[]): Metric[] => [
  gauge(
    'muster_account_paused',
    'Whether each account is paused.',
    accounts.map(({ name: account, pauseCause }) => ({ labels: { account }, value: pauseCause === null ? 0 : 1 })),
  ),
]

const dispatcherMetrics = (dispatchers: readonly Dispatcher[], now: number): Metric[] => [
  gauge('muster_dispatchers_active', 'Machines with a dispatcher whose lease is valid.', [
    { value: dispatchers.filter(({ leaseUntil }) => leaseUntil > now).length },
  ]),
  gauge(
    'muster_last_pass_age_seconds',
    'Time since the last recorded pass of the dispatcher of each machine.',
    dispatchers.flatMap(({ machine, lastPass }) =>
      lastPass === null ? [] : [{ labels: { machine }, value: secondsBetween(lastPass.at, now) }],
    ),
  ),
]

const secondsBetween = (from: number, to: number): number => Math.max(0, to - from) / 1000
