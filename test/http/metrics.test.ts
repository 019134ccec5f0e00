import { expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { Histogram } from '../../src/http/metrics/histogram.ts'
import { metricText } from '../../src/http/metrics/metric-text.ts'
import { openHttp } from '../helpers/http.ts'
import type { HttpTest } from '../helpers/http.ts'
import { readFeed } from '../helpers/feed-reader.ts'
import { clockwork, identity, runOf } from '../helpers/sample.ts'

/** Returns the value of a sample, such as `muster_runs_open`. */
async function sample({ ask }: HttpTest, name: string): Promise<string | undefined> {
  const { text } = await ask('GET /metrics')
  return text
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length + 1)
}

test('the metrics need a token and count the cards of each board', async () => {
  const { ask, tokenFor } = await openHttp()
  await ask('POST /api/tasks', { body: { title: 'A card' } })
  expect((await ask('GET /metrics', { token: null })).status).toBe(401)
  const { text } = await ask('GET /metrics', { token: await tokenFor('read') })
  expect(text).toContain('muster_cards{board="default",status="ready"} 1\n')
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
  // Every line of the text is a comment or a sample.
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{.*\})? -?[\d.e+-]+)$/)
})

test('the metrics count the open streams of the feed', async () => {
  const { ask, fetch, parts, tokenFor } = await openHttp()
  const clients = async () => /^muster_feed_clients (\d+)$/m.exec((await ask('GET /metrics')).text)?.[1]
  expect(await clients()).toBe('0')
  const headers = { authorization: `Bearer ${await tokenFor('read')}` }
  const { body } = await fetch(`${parts.place.url}/api/events`, { headers })
  expect(await clients()).toBe('1')
  await body?.cancel()
  expect(await clients()).toBe('0')
})

/** Claims a card, registers its supervisor after `startMs`, and ends the run with the ending `how`. */
async function attempt({ test: opened, ask }: HttpTest, name: string, how: 'exited' | 'crashed'): Promise<void> {
  const { task } = (await ask('POST /api/tasks', { body: { title: name, assignee: 'coder' } })).json<{
    task: { id: TaskId }
  }>()
  const own = identity()
  const fence = { runId: runOf(name), tokenHash: 'run' }
  const command = { board: 'default', actor: clockwork } as const
  const lead = { machine: own.machine, tokenHash: 'lead', identity: own, leaseMs: 3_600_000 }
  unwrap(await opened.store.decide({ ...command, verb: 'lead_dispatch', input: lead }))
  await opened.pass(2_000)
  const claim = { ...fence, task: task.id, agent: 'coder', machine: own.machine }
  const by = { dispatcher: own, dispatcherTokenHash: 'lead' }
  unwrap(await opened.store.decide({ ...command, verb: 'claim', input: { ...claim, ...by } }))
  await opened.pass(1_000)
  unwrap(await opened.store.decide({ ...command, verb: 'register', input: { task: task.id, fence, identity: own } }))
  const ending = how === 'exited' ? { how, exitCode: 0 } : { how: 'exited' as const, exitCode: 3 }
  const settled = { task: task.id, runId: fence.runId, by: { fence }, ending, completesOnExit: how === 'exited' }
  unwrap(await opened.store.decide({ ...command, verb: 'settle', input: settled }))
}

test('the metrics count ended runs by outcome and measure their start times', async () => {
  const http = await openHttp()
  await http.ask('GET /metrics')
  await attempt(http, 'a', 'exited')
  await attempt(http, 'b', 'crashed')
  expect(await sample(http, 'muster_runs_ended_total{outcome="completed"}')).toBe('1')
  // A second reading counts nothing twice.
  expect(await sample(http, 'muster_runs_ended_total{outcome="crashed"}')).toBe('1')
  expect(await sample(http, 'muster_dispatch_latency_seconds_count')).toBe('2')
  // Both cards waited 2 s for the claim, and their supervisors took 1 s to register.
  expect(await sample(http, 'muster_dispatch_latency_seconds_sum')).toBe('6')
})

test('the metrics measure how late the feed sends events', async () => {
  const http = await openHttp()
  const headers = { authorization: `Bearer ${await http.tokenFor('read')}` }
  await http.ask('GET /metrics')
  const reader = readFeed(await http.fetch(`${http.parts.place.url}/api/events`, { headers }))
  expect(await sample(http, 'muster_feed_lag_seconds_count')).toBe('0')
  // A client first reads the past events on its own, and only then follows the events that the feed sends.
  const sendOne = async (): Promise<number> => {
    await http.ask('POST /api/tasks', { body: { title: 'A card' } })
    expect((await reader.nextEvent())?.data).toMatchObject({ kind: 'created' })
    return Number(await sample(http, 'muster_feed_lag_seconds_count'))
  }
  await expect.poll(sendOne).toBeGreaterThan(0)
})

test('a histogram counts each value in its bucket and in all larger ones', () => {
  const histogram = new Histogram([1, 10])
  for (const seconds of [0.5, 1, 5, 60]) histogram.observe(seconds)
  expect(metricText(histogram.toMetric('wait', 'Time.')).split('\n').slice(2)).toEqual([
    'wait_bucket{le="1"} 2',
    'wait_bucket{le="10"} 3',
    'wait_bucket{le="+Inf"} 4',
    'wait_sum 66.5',
    'wait_count 4',
    '',
  ])
})
