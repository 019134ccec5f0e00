// Tests the outcomes of runs and their effect on cards, agents and accounts, with the real binary.
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../../src/core/board.ts'
import type { TaskView } from '../../src/storage/store.ts'
import { isLiving, makeTestHome } from '../helpers/cli.ts'
import { SURFACE_ENGINES } from '../helpers/stores.ts'
import { alterWorld } from '../helpers/world.ts'
import {
  WAITS,
  createShellCard,
  finish,
  outcomesOf,
  startUp,
  untilBegun,
  untilPrinted,
  untilStatus,
  writeAgent,
} from '../helpers/run-cards.ts'

const HOUR = 3_600_000

describe.each(SURFACE_ENGINES)('failures (%s)', (engine) => {
  test('exit 75 never blocks a card or counts as a failure (scenarios 24, 27)', async () => {
    const home = makeTestHome(engine)
    // The number of attempts after which any other outcome would block the card within a day. Only SQLite makes all of
    // these attempts.
    const times = engine === 'sqlite' ? DEFAULT_SETTINGS.attemptsLimit + 2 : 2
    const body = `echo try >>tries; [ "$(wc -l <tries)" -gt ${times} ] && echo through || exit 75`
    const card = await createShellCard(home, 'limited', body)
    await home.setBoard({ rateLimitBaseMs: 0 })
    startUp(home)
    const store = await home.store()
    for (let nth = 1; nth <= times; nth += 1)
      await home.until(`it was tried ${nth} times`, async () => {
        const task = await store.task('default', card.id)
        expect([task?.status === 'blocked', task?.consecutiveFailures]).toEqual([false, 0])
        return (await store.runs('default', card.id)).length >= nth
      })
    await untilStatus(home, card.id, 'done')
    expect(await outcomesOf(home, card.id)).toEqual([...Array<string>(times).fill('rate_limited'), 'completed'])
  })

  test('a rate-limited account resumes after one successful run', async () => {
    const home = makeTestHome(engine)
    writeAgent(home, 'spender', 'harness: shell\naccount: acme')
    const body = 'echo try >>tries; [ "$(wc -l <tries)" -gt 1 ] || exit 75'
    const first = await home.create('meets the limit', '--assignee', 'spender', '--body', body)
    await home.setBoard({ rateLimitBaseMs: HOUR, rateLimitMaxMs: HOUR })
    await home.dispatch('--wait')
    const store = await home.store()
    const account = await store.account('acme')
    expect(account).toMatchObject({ pauseCause: 'quota', strikes: 1 })
    const second = await home.create('waits', '--assignee', 'spender', '--body', 'echo fine')
    const report = await home.dispatch()
    expect([report.started, report.paused]).toMatchObject([[], [{ kind: 'account', name: 'acme' }]])
    alterWorld(home).set({ clockOffsetMs: HOUR })
    startUp(home)
    for (const { id } of [first, second]) await untilStatus(home, id, 'done')
    expect(await store.account('acme')).toMatchObject({ pauseCause: null, strikes: 0, probeRunId: null })
    const runs = await Promise.all([first, second].map(({ id }) => store.runs('default', id)))
    expect(runs.flat().map(({ probe }) => probe)).toEqual([false, true, false])
    expect((await store.task('default', first.id))?.consecutiveFailures).toBe(0)
  })
})

// These tests do not depend on the engine.
describe('failures', () => {
  test('exit 75 is a rate limit even after the supervisor died (scenarios 25, 26)', async () => {
    const home = makeTestHome('sqlite')
    const card = await createShellCard(home, 'limited', `${WAITS}; exit 75`)
    await home.dispatch()
    const { run, supervisor, directory } = await home.liveRun(card.id)
    await untilBegun(home, card.id)
    process.kill(supervisor, 'SIGSTOP')
    finish(home, card.id)
    await home.until('the wrapper wrote the exit file', () => existsSync(directory.exit))
    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving(run))
    const report = await home.dispatch()
    expect(report.settled).toMatchObject([{ id: card.id, outcome: 'rate_limited', status: 'ready' }])
    expect(report.rateLimited).toMatchObject([{ id: card.id, until: expect.any(Number) }])
    expect(await home.show(card.id)).toMatchObject({ consecutiveFailures: 0 })
  })

  test('two kills block a card with the signal as reason (scenarios 29, 31, 38)', async () => {
    const home = makeTestHome('sqlite')
    const killed = await createShellCard(home, 'killed', 'echo "pid 403 is not alive"; kill -9 $$')
    const slow = await createShellCard(home, 'slow', 'sleep 60', '--max-runtime', '1s', '--max-retries', '1')
    await home.setBoard({ retryBaseMs: 1, failureLimit: 10, burstLimit: 100 })
    const first = await home.dispatch('--wait')
    expect(first.crashed).toEqual([killed.id])
    expect(first.timedOut).toEqual([slow.id])
    expect(first.autoBlocked).toEqual([slow.id])
    const { events, retryLimit } = await home.show(slow.id)
    expect(retryLimit).toEqual({ value: 1, from: 'card' })
    expect(events.find(({ kind }) => kind === 'gave_up')?.data).toMatchObject({ limit: 1, trigger: 'timed_out' })
    expect((await home.show(killed.id)).status).toBe('ready')
    await home.setBoard({ failureLimit: 2 })
    expect((await home.dispatch('--wait')).settled).toMatchObject([{ id: killed.id, status: 'blocked' }])
    expect((await home.show(killed.id)).blockReason).toContain('SIGKILL')
    expect((await home.dispatch('--wait')).started).toEqual([])
  })

  test('three equal crashes pause the agent and block no card (scenario 37)', async () => {
    const home = makeTestHome('sqlite')
    const cards: TaskView[] = []
    for (const title of ['a', 'b', 'c']) cards.push(await createShellCard(home, title, 'kill -9 $$'))
    const running = startUp(home)
    await untilPrinted(home, running, 'agent shell  3 cards crashed in the same way within 60 s (killed by SIGKILL)')
    const store = await home.store()
    for (const { id } of cards) {
      expect(await store.task('default', id)).toMatchObject({ status: 'ready', consecutiveFailures: 0 })
      expect(await outcomesOf(home, id)).toEqual(['crashed'])
    }
    const [first] = cards
    expect((await home.muster('why', first?.id ?? '')).stdout).toContain('The agent shell is paused: 3 cards crashed')
    expect(running.output().match(/ paused /g)).toHaveLength(1)
    const fourth = await createShellCard(home, 'd', 'echo fine')
    expect((await home.muster('resume', 'agent', 'shell')).code).toBe(0)
    await untilStatus(home, fourth.id, 'done')
  })

  test('a retry with an active pull request waits until a person acts (scenarios 40, 41, 42)', async () => {
    const home = makeTestHome('sqlite')
    const url = 'https://github.com/acme/site/pull/7'
    const card = await createShellCard(home, 'has a pull request', 'echo try >>tries; exit 1')
    expect((await home.runInline('comment', card.id, `see ${url}`)).code).toBe(0)
    await home.setBoard({ retryBaseMs: 1, failureLimit: 10 })
    await home.dispatch('--wait')
    const report = await home.dispatch()
    expect(report.started).toEqual([])
    expect(report.guarded).toMatchObject([{ id: card.id, reason: 'active_pr' }])
    expect(report.guarded[0]?.until).toBeGreaterThan(Date.now())
    expect((await home.runInline('block', card.id, 'please look at it', '--kind', 'review')).code).toBe(0)
    expect((await home.runInline('unblock', card.id)).code).toBe(0)
    // The run that the person blocked also counts as an attempt.
    expect((await home.dispatch('--wait')).started).toMatchObject([{ id: card.id, attempt: 3 }])

    const done = await createShellCard(home, 'done', 'echo done')
    await home.dispatch('--wait')
    expect((await home.runInline('reopen', done.id)).code).toBe(0)
    expect((await home.dispatch('--wait')).started).toMatchObject([{ id: done.id, attempt: 2 }])
    expect((await home.show(done.id)).status).toBe('done')
  })
})
