/** The metrics of the server and its store, in the text format of Prometheus. They are read when they are asked for. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { STATUSES } from '../core/vocabulary.ts'
import type { ServeTarget } from '../operations/machine/server-port.ts'
import type { LiveFeed } from './feed/live-feed.ts'

interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'gauge' | 'counter'
  readonly samples: readonly Sample[]
}

export type Metrics = (target: ServeTarget) => Promise<string>

export function makeMetrics(feed: Pick<LiveFeed, 'clients'>): Metrics {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  return async (target) => {
    const metrics = [...(await storeMetrics(target)), feedMetric(feed), ...processMetrics(delay.percentile(99) / 1e9)]
    delay.reset()
    return metrics.map(textOf).join('')
  }
}

async function storeMetrics({ store }: ServeTarget): Promise<Metric[]> {
  const [boards, runs, accounts, dispatchers, now] = await Promise.all([
    store.boards(),
    store.openRuns(null),
    store.accounts(),
    store.dispatchers(),
    store.now(),
  ])
  const active = boards.filter(({ archivedAt }) => archivedAt === null)
  const counts = await Promise.all(active.map(({ slug }) => store.counts(slug)))
  const waits = await Promise.all(active.map(({ slug }) => store.readySince(slug)))
  return [
    gauge(
      'muster_cards',
      'Cards by board and status.',
      active.flatMap(({ slug: board }, at) =>
        STATUSES.map((status) => ({ labels: { board, status }, value: counts[at]?.[status] ?? 0 })),
      ),
    ),
    gauge(
      'muster_ready_age_seconds',
      'Age of the oldest ready card of each board.',
      active.map(({ slug: board }, at) => ({ labels: { board }, value: secondsSince(waits[at] ?? now, now) })),
    ),
    gauge('muster_runs_open', 'Runs that are open.', [{ value: runs.length }]),
    gauge(
      'muster_lease_left_seconds',
      'Time until the lease of each open run ends; negative after it has ended.',
      runs.flatMap(({ id: run, leaseUntil }) =>
        leaseUntil === null ? [] : [{ labels: { run }, value: (leaseUntil - now) / 1000 }],
      ),
    ),
    gauge(
      'muster_account_paused',
      'Whether each account is paused.',
      accounts.map(({ name: account, pauseCause }) => ({ labels: { account }, value: pauseCause === null ? 0 : 1 })),
    ),
    gauge('muster_dispatchers_active', 'Machines with a dispatcher whose lease is valid.', [
      { value: dispatchers.filter(({ leaseUntil }) => leaseUntil > now).length },
    ]),
  ]
}

const feedMetric = ({ clients }: Pick<LiveFeed, 'clients'>): Metric =>
  gauge('muster_feed_clients', 'Open streams of /api/events.', [{ value: clients }])

const secondsSince = (since: number, now: number): number => Math.max(0, now - since) / 1000

function processMetrics(delaySeconds: number): Metric[] {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return [
    gauge('process_resident_memory_bytes', 'Memory of the process.', [{ value: rss }]),
    gauge('nodejs_heap_size_used_bytes', 'JavaScript memory in use.', [{ value: heapUsed }]),
    gauge('nodejs_eventloop_lag_p99_seconds', 'Delay of the event loop since the last reading.', [
      { value: Number.isFinite(delaySeconds) ? delaySeconds : 0 },
    ]),
    {
      name: 'process_cpu_seconds_total',
      help: 'CPU time of the process.',
      type: 'counter',
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge('process_uptime_seconds', 'Age of the process.', [{ value: process.uptime() }]),
  ]
}

const gauge = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name,
  help,
  type: 'gauge',
  samples,
})

const textOf = ({ name, help, type, samples }: Metric): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}`),
    '',
  ].join('\n')

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (value: string): string =>
  value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)
