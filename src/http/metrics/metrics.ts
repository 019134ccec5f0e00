/** The metrics of the server and its store. They are computed for each request. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Store } from '../../storage/store.ts'
import type { LiveFeed } from '../feed/live-feed.ts'
import { counter, gauge, metricText } from './metric-text.ts'
import type { Metric } from './metric-text.ts'
import { RunCounts } from './run-counts.ts'
import { readStoreMetrics } from './store-metrics.ts'

export type Metrics = () => Promise<string>

export function makeMetrics(store: Store, feed: Pick<LiveFeed, 'clients' | 'lag'>): Metrics {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const runs = new RunCounts(store)
  const scrape = async (): Promise<string> => {
    const { now, openRuns, metrics } = await readStoreMetrics(store)
    await runs.read(openRuns)
    feed.lag.setStoreClock(now)
    const all = [...metrics, ...runs.toMetrics(), ...feedMetrics(feed), ...processMetrics(delay.percentile(99) / 1e9)]
    delay.reset()
    return all.map(metricText).join('')
  }
  // The latest metrics request. Requests run one after another, because two at once would count the same events twice.
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const next = last.then(scrape)
    last = next.catch(() => {})
    return next
  }
}

const feedMetrics = ({ clients, lag }: Pick<LiveFeed, 'clients' | 'lag'>): Metric[] => [
  gauge('muster_feed_clients', 'Open streams of /api/events.', [{ value: clients }]),
  lag.toMetric(),
]

function processMetrics(delaySeconds: number): Metric[] {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return [
    gauge('process_resident_memory_bytes', 'Memory of the process.', [{ value: rss }]),
    gauge('nodejs_heap_size_used_bytes', 'JavaScript memory in use.', [{ value: heapUsed }]),
    gauge('nodejs_eventloop_lag_p99_seconds', 'Delay of the event loop since the last reading.', [
      { value: Number.isFinite(delaySeconds) ? delaySeconds : 0 },
    ]),
    counter('process_cpu_seconds_total', 'CPU time of the process.', [{ value: (user + system) / 1e6 }]),
    gauge('process_uptime_seconds', 'Age of the process.', [{ value: process.uptime() }]),
  ]
}
