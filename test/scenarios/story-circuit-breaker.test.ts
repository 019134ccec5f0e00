// Failing cards stop at their limit, and crashed ones go on. Stories: docs/contributing/scenarios.md.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import type { Run } from '../../src/core/run.ts'
import { makeTestHome } from '../helpers/cli.ts'
import { byAttempt, finishRun, playRun, writePlayedAgents } from '../helpers/played-agent.ts'
import { isGone, untilStatus, writeAgent } from '../helpers/run-cards.ts'
import { serve } from '../helpers/served-home.ts'
import type { ServedHome } from '../helpers/served-home.ts'

const home = makeTestHome('sqlite', afterAll)
const staging = join(home.home, '..', 'staging')
let board: ServedHome
let [deploy, deployTwice, backfill]: TaskId[] = []
const created = async (title: string, assignee: string, ...flags: string[]): Promise<TaskId> =>
  (await home.create(title, '--assignee', assignee, ...flags)).id
const kindsOf = async (id: TaskId) => (await home.show(id)).events.map(({ kind }) => kind)

beforeAll(async () => {
  await home.runInline('init')
  writePlayedAgents(home, 'deploy-bot', 'migration-bot')
  writeAgent(home, 'silent-bot', 'harness: command\nonExit: verdict\nargs: ["true"]')
  await home.setBoard({ retryBaseMs: 1, retryMaxMs: 1, retryKeepsFiles: false, burstLimit: 50 })
  const flags = ['--tenant', 'ops', '--workspace', `dir:${staging}`]
  deploy = await created('Deploy to staging', 'deploy-bot', ...flags, '--max-retries', '3')
  deployTwice = await created('Deploy the docs', 'deploy-bot', ...flags)
  backfill = await created('Backfill updated_at', 'migration-bot')
  board = await serve(home)
})

test('a card that cannot start is stopped at its own limit, and `why` shows the reason', async () => {
  await untilStatus(home, deploy as TaskId, 'blocked')
  const { runs } = await board.expectCard(deploy as TaskId, {
    blockKind: 'breaker',
    breakerOpen: true,
    consecutiveFailures: 3,
    retryLimit: { value: 3, from: 'card' },
    lastError: expect.stringContaining(staging),
  })
  expect(runs.map(({ outcome }) => outcome)).toEqual(['spawn_failed', 'spawn_failed', 'spawn_failed'])
  for (const { error } of runs) expect(error).toContain(staging)
  const kinds = (await kindsOf(deploy as TaskId)).filter((kind) =>
    ['created', 'claimed', 'spawn_failed', 'gave_up'].includes(kind),
  )
  expect(kinds).toEqual([
    'created',
    'claimed',
    'spawn_failed',
    'claimed',
    'spawn_failed',
    'claimed',
    'spawn_failed',
    'gave_up',
  ])
  const gaveUp = (await home.show(deploy as TaskId)).events.find(({ kind }) => kind === 'gave_up')
  expect(gaveUp?.data).toMatchObject({ failures: 3, limit: 3, trigger: 'spawn_failed' })
})

test('a card without its own limit stops after the second failure', async () => {
  await untilStatus(home, deployTwice as TaskId, 'blocked')
  await board.expectCard(deployTwice as TaskId, { consecutiveFailures: 2, runs: [{}, {}] })
})

test('further passes do not start a stopped card', async () => {
  const before = await home.show(deploy as TaskId)
  for (let pass = 0; pass < 10; pass += 1) {
    await board.send('POST /api/dispatch')
    await board.read('/api/tasks?limit=10')
  }
  await board.expectCard(deploy as TaskId, { status: 'blocked', updatedAt: before.updatedAt })
})

test('after the cause is fixed, unblocking starts the card with a new count', async () => {
  mkdirSync(staging)
  expect(await board.send(`POST /api/tasks/${deploy}/unblock`, {})).toMatchObject({
    status: 200,
    body: { consecutiveFailures: 0, breakerOpen: false },
  })
  const { run } = await home.liveRun(deploy as TaskId)
  await home.until('the agent has begun', async () => (await home.show(deploy as TaskId)).startedAt !== null)
  await board.expectCard(deploy as TaskId, { status: 'running', runs: [{}, {}, {}, { id: run.id, attempt: 4 }] })
  expect((await home.runInline('stop', deploy as TaskId)).code).toBe(0)
})

test('a killed worker counts as a crash, and the next briefing contains the crash', async () => {
  const first = await playRun(home, backfill as TaskId)
  await first.end('kill -KILL $$')
  await home.until('the run is over', async () => (await home.show(backfill as TaskId)).runs[0]?.outcome !== null)
  const second = await playRun(home, backfill as TaskId)
  const { runs } = await board.expectCard(backfill as TaskId, { status: 'running', consecutiveFailures: 1 })
  expect(runs.find(({ id }) => id === first.id)).toMatchObject({ outcome: 'crashed', signal: 'SIGKILL' })
  expect(second.briefing).toMatch(/crashed/)
  await finishRun(second, { summary: 'Filled in chunks.', metadata: { strategy: 'chunks of 1000' } })
  await untilStatus(home, backfill as TaskId, 'done')
  const all = await board.json<readonly Run[]>('runs', backfill as TaskId)
  expect(byAttempt(all).map(({ outcome }) => outcome)).toEqual(['crashed', 'completed'])
  await board.expectCard(backfill as TaskId, { consecutiveFailures: 0, breakerOpen: false })
})

test('a worker that exceeds its time limit is ended and counts as a failure', async () => {
  const id = await created('Reindex', 'migration-bot', '--max-runtime', '1s', '--max-retries', '1')
  const run = await playRun(home, id)
  await untilStatus(home, id, 'blocked')
  await board.expectCard(id, { blockKind: 'breaker', consecutiveFailures: 1, runs: [{ outcome: 'timed_out' }] })
  expect(isGone(run.supervisor) || (await home.show(id)).currentRunId === null).toBe(true)
})

test('a worker that ends without a report violates the protocol, which is not a failure', async () => {
  const id = await created('Say nothing', 'silent-bot', '--max-retries', '1')
  await untilStatus(home, id, 'blocked')
  await board.expectCard(id, {
    consecutiveFailures: 0,
    protocolViolations: 1,
    runs: [{ outcome: 'protocol_violation' }],
  })
})

test('a person’s `reclaim` does not count as a failure', async () => {
  const id = await created('Rotate the keys', 'migration-bot')
  await playRun(home, id)
  await home.runInline('hold', id)
  expect(await board.send(`POST /api/tasks/${id}/reclaim`, { reason: 'wrong cluster' })).toMatchObject({
    status: 200,
    body: { status: 'ready', consecutiveFailures: 0 },
  })
  const { runs } = await board.expectCard(id, { status: 'ready', runs: [{ outcome: 'reclaimed' }] })
  expect(JSON.stringify(runs)).toContain('wrong cluster')
})

test('a card for an unknown agent shows the name of the agent at once', async () => {
  const id = await created('Haunt', 'ghost')
  const { reasons } = await board.read<{ readonly reasons: readonly object[] }>(`/api/why/${id}`)
  expect(JSON.stringify(reasons)).toContain('ghost')
  expect((await home.runInline('why', id)).stdout).toContain('ghost')
  await board.expectCard(id, { status: 'ready', runs: [] })
})
