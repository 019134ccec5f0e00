// What dispatchers do, with the real binary: who leads, what starts, what waits and is told, and how it stops.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { output as reportSchema } from '../../src/operations/dispatch-once.schema.ts'
import type { TaskView } from '../../src/storage/store.ts'
import { appeared, isLiving, makeTestHome } from '../helpers/cli.ts'
import type { Running, TestHome } from '../helpers/cli.ts'
import { ENGINES } from '../helpers/stores.ts'

// Up to a dozen processes share two cores with whatever else this machine does; a hang still ends.
vi.setConfig({ testTimeout: 60_000 })

/** Says that it runs, then waits for a word. */
const WAITS = 'touch begun; while [ ! -e go ]; do sleep 0.02; done; echo finished'
const QUICK = { MUSTER_SWEEP_MS: '100', MUSTER_DISPATCHER_LEASE_MS: '1500' }

const shell = (home: TestHome, title: string, body: string, ...flags: string[]): Promise<TaskView> =>
  home.create(title, '--assignee', 'shell', '--body', body, ...flags)

const up = (home: TestHome, env: NodeJS.ProcessEnv = {}, ...flags: string[]): Running =>
  home.start(['up', ...flags], { env: { ...QUICK, ...env } })

const says = (home: TestHome, running: Running, words: string): Promise<true> =>
  home.until(`it says ${words}`, () => running.output().includes(words) || null)

const has = (home: TestHome, id: TaskId, status: string): Promise<true> =>
  home.until(`${id} is ${status}`, async () => (await (await home.store()).task('default', id))?.status === status)

const begun = (home: TestHome, id: TaskId): Promise<true> =>
  home.until(`${id} has begun`, () => appeared(home.workspace(id, 'begun')))

const finish = (home: TestHome, id: TaskId): void => writeFileSync(home.workspace(id, 'go'), '')

function addAgent(home: TestHome, name: string, front: string): void {
  mkdirSync(join(home.home, 'agents'), { recursive: true })
  writeFileSync(join(home.home, 'agents', `${name}.md`), `---\nharness: shell\n${front}\n---\n`)
}

const outcomesOf = async (home: TestHome, id: TaskId): Promise<unknown[]> =>
  (await (await home.store()).runs('default', id)).map(({ outcome }) => outcome)

describe.each(ENGINES)('who leads (%s)', (engine) => {
  test('eight passes at once make one attempt, and whoever does not lead says who does (scenario 1)', async () => {
    const home = makeTestHome(engine)
    const card = await shell(home, 'one', 'echo once')
    const passes = await Promise.all(Array.from({ length: 8 }, () => home.muster('dispatch', '--json')))
    const others = passes.filter(({ code }) => code !== 0)
    expect(others.length).toBeLessThan(8)
    for (const { code, stderr } of others)
      expect([code, JSON.parse(stderr)]).toMatchObject([4, { error: { code: 'dispatcher_superseded' } }])
    await has(home, card.id, 'done')
    expect(await outcomesOf(home, card.id)).toEqual(['completed'])
  })

  test('the second stands by and says so; it takes over from one that is killed or stopped (scenario 2)', async () => {
    const home = makeTestHome(engine)
    await home.muster('init')
    const first = up(home)
    await says(home, first, 'Dispatching from')
    const second = up(home)
    await says(home, second, 'Standing by')
    first.child.kill('SIGKILL')
    await says(home, second, 'Dispatching from')

    const third = up(home)
    await says(home, third, 'Standing by')
    second.child.kill('SIGSTOP')
    await says(home, third, 'Dispatching from')
    second.child.kill('SIGCONT')
    await says(home, second, 'Standing by')
    const card = await shell(home, 'after all that', 'echo once')
    await has(home, card.id, 'done')
    expect(await outcomesOf(home, card.id)).toEqual(['completed'])
  })

  test('a dispatcher restarted by SIGTERM and by SIGKILL leaves four runs to their end, one attempt each (scenario 68)', async () => {
    const home = makeTestHome(engine)
    const cards: TaskView[] = []
    for (const title of ['a', 'b', 'c', 'd']) cards.push(await shell(home, title, WAITS))
    const first = up(home)
    for (const { id } of cards) await begun(home, id)
    first.child.kill('SIGTERM')
    const { code, stderr } = await first.ended
    expect(code).toBe(0)
    expect(stderr).toContain('Stopped; 4 runs go on.')
    const second = up(home)
    await says(home, second, 'Dispatching from')
    second.child.kill('SIGKILL')
    await second.ended
    const third = up(home)
    await says(home, third, 'Dispatching from')
    for (const { id } of cards) finish(home, id)
    for (const { id } of cards) await has(home, id, 'done')
    for (const { id } of cards) expect(await outcomesOf(home, id)).toEqual(['completed'])
  })
})

describe.each(ENGINES)('what starts, and what is told (%s)', (engine) => {
  test('a nudge tells the running dispatcher to look, and starts nothing itself (scenario 69)', async () => {
    const home = makeTestHome(engine)
    await home.muster('init')
    const alone = await home.muster('dispatch', '--nudge', '--json')
    expect([alone.code, JSON.parse(alone.stderr)]).toMatchObject([1, { error: { code: 'dispatcher_absent' } }])
    const running = up(home, { MUSTER_SWEEP_MS: '600000', MUSTER_DISPATCHER_LEASE_MS: '60000' })
    await says(home, running, 'Dispatching from')
    const card = await home.create('for a newcomer', '--assignee', 'newcomer', '--body', 'echo here I am')
    await home.until('it was looked at', async () => (await home.muster('why', card.id)).stdout.includes('No agent'))
    // Nobody hears of a file: it takes a nudge, or the next look.
    addAgent(home, 'newcomer', 'description: comes late')
    const { stdout, code } = await home.muster('dispatch', '--nudge', '--json')
    expect([code, reportSchema.parse(JSON.parse(stdout))]).toMatchObject([0, { nudged: true, started: [] }])
    await has(home, card.id, 'done')
    expect(await outcomesOf(home, card.id)).toEqual(['completed'])
  })

  test('every bucket, in words and as JSON: caps with their counts, pauses, waits (scenarios 43, 45, 46)', async () => {
    const home = makeTestHome(engine)
    addAgent(home, 'single', 'maxConcurrent: 1')
    home.env['MUSTER_MACHINE_CAP'] = '4'
    const mine: TaskId[] = []
    for (const title of ['a', 'b', 'c'])
      mine.push((await home.create(title, '--assignee', 'single', '--body', WAITS)).id)
    const other = await shell(home, 'd', WAITS)
    const alone = await home.create('nobody')
    const report = reportSchema.parse(await home.dispatch())
    expect(new Set(report.started.map(({ id }) => id))).toEqual(new Set([mine[0], other.id]))
    const waiting = { agent: 'single', phase: 'work', cap: 'agent', used: 1, limit: 1 }
    expect(report.capped).toEqual(mine.slice(1).map((id) => ({ id, ...waiting })))
    expect(report.unassigned).toEqual([alone.id])

    const more: TaskId[] = []
    for (const title of ['e', 'f', 'g', 'h']) more.push((await shell(home, title, WAITS)).id)
    await home.shrink({ maxRunning: 8 })
    const second = await home.dispatch()
    expect(second.started.map(({ id }) => id)).toEqual(more.slice(0, 2))
    expect(second.capped.map(({ id }) => id).toSorted()).toEqual([...mine.slice(1), ...more.slice(2)].toSorted())
    expect(second.capped.find(({ id }) => id === more[3])).toMatchObject({ cap: 'machine', used: 4, limit: 4 })

    await home.muster('pause', 'agent', 'shell')
    const { stdout } = await home.muster('dispatch')
    expect(stdout).toContain(`capped       ${more[3]}  waits for a free place: 4 of 4 of the machine are taken`)
    expect(stdout).toContain(`unassigned   ${alone.id}`)
    expect(stdout).toContain('paused       agent shell')
  })

  test('a dry run keeps to every cap, ends nobody and changes nothing (scenario 47)', async () => {
    const home = makeTestHome(engine)
    home.env['MUSTER_MACHINE_CAP'] = '2'
    const late = await shell(home, 'late', WAITS, '--max-runtime', '1h')
    for (const title of ['a', 'b', 'c']) await shell(home, title, 'true')
    await home.dispatch('--max', '1')
    const { run } = await home.liveRun(late.id)
    const store = await home.store()
    const before = await store.exportAll()
    const report = await home.dispatch('--dry-run')
    expect(report.started).toHaveLength(1)
    expect(report.capped).toHaveLength(2)
    expect((await home.dispatch('--dry-run', '--max', '0')).started).toEqual([])
    expect(isLiving(run)).toBe(true)
    expect(await store.exportAll()).toEqual(before)
  })

  test('two boards share the places of the machine, and both get on (scenario 44)', async () => {
    const home = makeTestHome(engine)
    await home.muster('init')
    await home.muster('boards', 'create', 'other')
    const cards: TaskView[] = []
    for (let nth = 0; nth < 5; nth += 1) {
      cards.push(await shell(home, `d${nth}`, 'sleep 0.1'))
      cards.push(await shell(home, `o${nth}`, 'sleep 0.1', '--board', 'other'))
    }
    up(home, { MUSTER_MACHINE_CAP: '2' })
    const store = await home.store()
    for (const { id, board } of cards)
      await home.until(`${id} is done`, async () => (await store.task(board, id))?.status === 'done')
    const spans = (await Promise.all(cards.map(({ board, id }) => store.runs(board, id)))).flat()
    const alive = (at: number): number => spans.filter((run) => run.startedAt <= at && (run.endedAt ?? 0) > at).length
    expect(Math.max(...spans.map(({ startedAt }) => alive(startedAt)))).toBe(2)
  })
})

describe.each(ENGINES)('what failures do (%s)', (engine) => {
  test('exit 75, again and again: never blocked, nothing counted (scenarios 24, 27)', async () => {
    const home = makeTestHome(engine)
    // Each takes a third of a second where others work too; one engine is enough for the long way.
    const times = engine === 'sqlite' ? 40 : 8
    const body = `echo try >>tries; [ "$(wc -l <tries)" -gt ${times} ] && echo through || exit 75`
    const card = await shell(home, 'limited', body)
    await home.shrink({ rateLimitBaseMs: 0 })
    up(home)
    const store = await home.store()
    for (let nth = 1; nth <= times; nth += 1)
      await home.until(`it was tried ${nth} times`, async () => {
        const task = await store.task('default', card.id)
        expect([task?.status === 'blocked', task?.consecutiveFailures]).toEqual([false, 0])
        return (await store.runs('default', card.id)).length >= nth
      })
    await has(home, card.id, 'done')
    expect(await outcomesOf(home, card.id)).toEqual([...Array<string>(times).fill('rate_limited'), 'completed'])
  })

  test('exit 75 while nobody dispatched, and its supervisor lost: still a rate limit (scenarios 25, 26)', async () => {
    const home = makeTestHome(engine)
    const card = await shell(home, 'limited', `${WAITS}; exit 75`)
    await home.dispatch()
    const { run, supervisor, directory } = await home.liveRun(card.id)
    await begun(home, card.id)
    process.kill(supervisor, 'SIGSTOP')
    finish(home, card.id)
    await home.until('the wrapper wrote how it ended', () => existsSync(directory.exit))
    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving(run))
    const report = await home.dispatch()
    expect(report.settled).toMatchObject([{ id: card.id, outcome: 'rate_limited', status: 'ready' }])
    expect(report.rateLimited).toMatchObject([{ id: card.id, until: expect.any(Number) }])
    expect(await home.show(card.id)).toMatchObject({ consecutiveFailures: 0 })
  })

  test('killed twice: blocked, with the signal in the reason; a limit of its own comes first (scenarios 29, 31, 38)', async () => {
    const home = makeTestHome(engine)
    const killed = await shell(home, 'killed', 'echo "pid 403 is not alive"; kill -9 $$')
    const slow = await shell(home, 'slow', 'sleep 60', '--max-runtime', '0.3s', '--max-retries', '1')
    await home.shrink({ retryBaseMs: 1, failureLimit: 10, burstLimit: 100 })
    const first = await home.dispatch('--wait')
    expect(first.crashed).toEqual([killed.id])
    expect(first.timedOut).toEqual([slow.id])
    expect(first.autoBlocked).toEqual([slow.id])
    const { events } = await home.show(slow.id)
    expect(events.find(({ kind }) => kind === 'gave_up')?.data).toMatchObject({ limit: 1, trigger: 'timed_out' })
    expect((await home.show(killed.id)).status).toBe('ready')
    await home.shrink({ failureLimit: 2 })
    expect((await home.dispatch('--wait')).settled).toMatchObject([{ id: killed.id, status: 'blocked' }])
    expect((await home.show(killed.id)).blockReason).toContain('SIGKILL')
    expect((await home.dispatch('--wait')).started).toEqual([])
  })

  test('an account that met its limit is tried again by one run, and opens with its success', async () => {
    const home = makeTestHome(engine)
    addAgent(home, 'spender', 'account: acme')
    const body = 'echo try >>tries; [ "$(wc -l <tries)" -gt 1 ] || exit 75'
    const first = await home.create('meets the limit', '--assignee', 'spender', '--body', body)
    await home.shrink({ rateLimitBaseMs: 3_000 })
    await home.dispatch('--wait')
    const store = await home.store()
    const account = await store.account('acme')
    expect(account).toMatchObject({ pauseCause: 'quota', strikes: 1 })
    const second = await home.create('waits', '--assignee', 'spender', '--body', 'echo fine')
    const report = await home.dispatch()
    expect([report.started, report.paused]).toMatchObject([[], [{ kind: 'account', name: 'acme' }]])
    up(home)
    for (const { id } of [first, second]) await has(home, id, 'done')
    expect(await store.account('acme')).toMatchObject({ pauseCause: null, strikes: 0, probeRunId: null })
    const runs = await Promise.all([first, second].map(({ id }) => store.runs('default', id)))
    expect(runs.flat().map(({ probe }) => probe)).toEqual([false, true, false])
    expect((await store.task('default', first.id))?.consecutiveFailures).toBe(0)
  })

  test('three cards of one agent crash alike: the agent is paused with one notice, no card is burnt (scenario 37)', async () => {
    const home = makeTestHome(engine)
    const cards: TaskView[] = []
    for (const title of ['a', 'b', 'c']) cards.push(await shell(home, title, 'kill -9 $$'))
    const running = up(home)
    await says(home, running, 'agent shell  3 cards crashed alike within 60 s (killed by SIGKILL)')
    const store = await home.store()
    for (const { id } of cards) {
      expect(await store.task('default', id)).toMatchObject({ status: 'ready', consecutiveFailures: 0 })
      expect(await outcomesOf(home, id)).toEqual(['crashed'])
    }
    const [first] = cards
    expect((await home.muster('why', first?.id ?? '')).stdout).toContain('The agent shell is paused: 3 cards crashed')
    expect(running.output().match(/ paused /g)).toHaveLength(1)
    const fourth = await shell(home, 'd', 'echo fine')
    expect((await home.muster('resume', 'agent', 'shell')).code).toBe(0)
    await has(home, fourth.id, 'done')
  })

  test('a retry that might redo finished work waits with a visible end; a person’s word lifts it (scenarios 40-42)', async () => {
    const home = makeTestHome(engine)
    const url = 'https://github.com/acme/site/pull/7'
    const card = await shell(home, 'has a pull request', 'echo try >>tries; exit 1')
    await home.muster('comment', card.id, `see ${url}`)
    await home.shrink({ retryBaseMs: 1, failureLimit: 10 })
    await home.dispatch('--wait')
    const report = await home.dispatch()
    expect(report.started).toEqual([])
    expect(report.guarded).toMatchObject([{ id: card.id, reason: 'active_pr', until: expect.any(Number) }])
    await home.muster('block', card.id, 'needs a look')
    await home.muster('unblock', card.id)
    // Blocking it by hand was an attempt too, without any time.
    expect((await home.dispatch('--wait')).started).toMatchObject([{ id: card.id, attempt: 3 }])

    const done = await shell(home, 'done', 'echo done')
    await home.dispatch('--wait')
    await home.muster('reopen', done.id)
    expect((await home.dispatch('--wait')).started).toMatchObject([{ id: done.id, attempt: 2 }])
  })
})

describe('stopping (sqlite)', () => {
  test('asked to drain, it starts nothing more and waits for what runs; asked again, it stops at once', async () => {
    const home = makeTestHome('sqlite')
    const first = await shell(home, 'first', WAITS)
    const second = await shell(home, 'second', 'echo second')
    const running = up(home, { MUSTER_MACHINE_CAP: '1' }, '--drain')
    await begun(home, first.id)
    running.child.kill('SIGTERM')
    await says(home, running, 'waiting for live runs')
    finish(home, first.id)
    expect((await running.ended).code).toBe(0)
    expect(running.output()).toContain('Stopped.')
    expect((await home.show(first.id)).status).toBe('done')
    expect((await home.show(second.id)).status).toBe('ready')

    const third = await shell(home, 'third', WAITS, '--priority', '5')
    const again = up(home, { MUSTER_MACHINE_CAP: '1' }, '--drain')
    await begun(home, third.id)
    again.child.kill('SIGINT')
    await says(home, again, 'waiting for live runs')
    again.child.kill('SIGINT')
    expect((await again.ended).code).toBe(0)
    expect(again.output()).toContain('Stopped; 1 run goes on.')
  })

  test('it says what it keeps to, takes every flag, and dispatches nothing where it should not', async () => {
    const home = makeTestHome('sqlite')
    await home.muster('init')
    await home.shrink({ defaultAssignee: 'shell', maxRunning: 3 })
    const flags = ['--port', '0', '--host', '127.0.0.1', '--no-open', '--no-dispatch']
    const idle = up(home, {}, ...flags)
    await says(home, idle, 'Nothing is dispatched from here')
    expect(idle.output()).toContain('have no effect yet')
    idle.child.kill('SIGTERM')
    expect((await idle.ended).code).toBe(0)
    const running = up(home, { MUSTER_MACHINE_CAP: '' })
    await says(home, running, 'Dispatching from')
    expect(running.output()).toContain('Machine: 4 at once')
    expect(running.output()).toContain('Board default: 3 at once; default assignee shell; blocked after 2 failures')
    running.child.kill('SIGTERM')
    expect((await running.ended).code).toBe(0)
    const warned = up(home, { MUSTER_MACHINE_CAP: 'many' })
    await says(home, warned, 'MUSTER_MACHINE_CAP must be a whole number of at least 1; using 4.')
  })
})
