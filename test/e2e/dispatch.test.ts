// Tests dispatchers of the real binary: leadership, caps, messages, and stopping.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { dispatchOnce } from '../../src/operations/machine/dispatch-once.ts'
import type { TaskView } from '../../src/storage/store.ts'
import { groupMembers } from '../../src/processes/group.ts'
import { thisHost } from '../../src/processes/identity.ts'
import { appeared, isLiving, makeTestHome } from '../helpers/cli.ts'
import { ENGINES, SURFACE_ENGINES } from '../helpers/stores.ts'
import { alterWorld } from '../helpers/world.ts'
import {
  WAITS,
  createShellCard,
  finish,
  outcomesOf,
  startUp,
  statusOf,
  untilBegun,
  untilPrinted,
  untilStatus,
  writeAgent,
} from '../helpers/run-cards.ts'

const { output: reportSchema } = await dispatchOnce.schemas()

describe.each(ENGINES)('leadership (%s)', (engine) => {
  test('eight passes at once start one run and name the leader (scenario 1)', async () => {
    const home = makeTestHome(engine)
    const card = await createShellCard(home, 'one', 'echo once')
    const passes = await Promise.all(Array.from({ length: 8 }, () => home.muster('dispatch', '--json')))
    const others = passes.filter(({ code }) => code !== 0)
    expect(others.length).toBeLessThan(8)
    for (const { code, stderr } of others)
      expect([code, JSON.parse(stderr)]).toMatchObject([4, { error: { code: 'dispatcher_superseded' } }])
    await untilStatus(home, card.id, 'done')
    expect(await outcomesOf(home, card.id)).toEqual(['completed'])
  })

  test('a standby dispatcher takes over from a killed or stopped dispatcher (scenario 2)', async () => {
    const home = makeTestHome(engine)
    await home.runInline('init')
    const first = startUp(home)
    await untilPrinted(home, first, 'Running cards')
    const second = startUp(home)
    await untilPrinted(home, second, 'Waiting to take over')
    first.child.kill('SIGKILL')
    await untilPrinted(home, second, 'Running cards')

    const third = startUp(home)
    await untilPrinted(home, third, 'Waiting to take over')
    second.child.kill('SIGSTOP')
    await untilPrinted(home, third, 'Running cards')
    second.child.kill('SIGCONT')
    await untilPrinted(home, second, 'Waiting to take over')
    const card = await createShellCard(home, 'after all that', 'echo once')
    await untilStatus(home, card.id, 'done')
    expect(await outcomesOf(home, card.id)).toEqual(['completed'])
  })
})

describe.each(SURFACE_ENGINES)('starts and reports (%s)', (engine) => {
  test('four runs survive a restart of the dispatcher with one attempt each (scenario 68)', async () => {
    const home = makeTestHome(engine)
    const cards: TaskView[] = []
    for (const title of ['a', 'b', 'c', 'd']) cards.push(await createShellCard(home, title, WAITS))
    const first = startUp(home)
    for (const { id } of cards) await untilBegun(home, id)
    first.child.kill('SIGTERM')
    const { code, stderr } = await first.ended
    expect(code).toBe(0)
    expect(stderr).toContain('Stopped. 4 runs continue.')
    const second = startUp(home)
    await untilPrinted(home, second, 'Running cards')
    second.child.kill('SIGKILL')
    await second.ended
    const third = startUp(home)
    await untilPrinted(home, third, 'Running cards')
    for (const { id } of cards) finish(home, id)
    for (const { id } of cards) await untilStatus(home, id, 'done')
    for (const { id } of cards) expect(await outcomesOf(home, id)).toEqual(['completed'])
  })

  test('a nudge wakes the running dispatcher and starts nothing itself (scenario 69)', async () => {
    const home = makeTestHome(engine)
    await home.runInline('init')
    const alone = await home.muster('dispatch', '--nudge', '--json')
    expect([alone.code, JSON.parse(alone.stderr)]).toMatchObject([1, { error: { code: 'dispatcher_absent' } }])
    const running = startUp(home, { MUSTER_SWEEP_MS: '600000', MUSTER_DISPATCHER_LEASE_MS: '60000' })
    await untilPrinted(home, running, 'Running cards')
    const card = await home.create('for a newcomer', '--assignee', 'newcomer', '--body', 'echo here I am')
    await home.until('a pass has seen the card', async () =>
      (await home.muster('why', card.id)).stdout.includes('No agent'),
    )
    // A dispatcher is not notified of a new agent file. It reads the file after a nudge or at its next pass.
    writeAgent(home, 'newcomer', 'harness: shell\ndescription: comes late')
    const { stdout, code } = await home.muster('dispatch', '--nudge', '--json')
    expect([code, reportSchema.parse(JSON.parse(stdout))]).toMatchObject([0, { nudged: true, started: [] }])
    await untilStatus(home, card.id, 'done')
    expect(await outcomesOf(home, card.id)).toEqual(['completed'])
  })

  test('`dispatch --wait` at a terminal prints that it waits only if it started a run', async () => {
    const home = makeTestHome(engine)
    home.env['MUSTER_TERMINAL'] = '80'
    await home.runInline('init')
    const notice = 'Waiting for runs to finish. Ctrl-C stops waiting; runs continue.'
    expect((await home.muster('dispatch', '--wait')).stderr).not.toContain(notice)
    const card = await createShellCard(home, 'one', 'true')
    expect((await home.muster('dispatch', '--wait')).stderr).toContain(notice)
    expect(await statusOf(home, card.id)).toBe('done')
  })

  test('`dispatch --wait` beside a running Muster names that Muster and the command to watch', async () => {
    const home = makeTestHome(engine)
    await home.runInline('init')
    const running = startUp(home, { MUSTER_DISPATCHER_LEASE_MS: '60000' })
    await untilPrinted(home, running, 'Running cards')
    const env = { MUSTER_TERMINAL: '200' }
    expect(await home.start(['dispatch', '--wait'], { env }).ended).toMatchObject({
      code: 4,
      stdout: '',
      stderr: `muster: Muster is already running on this machine (pid ${running.child.pid}), and starts ready cards. To watch the cards: muster watch\n`,
    })
  })

  test('a dry run respects every cap and changes nothing (scenario 47)', async () => {
    const home = makeTestHome(engine)
    const late = await createShellCard(home, 'late', WAITS, '--max-runtime', '1h')
    await home.dispatch()
    const { run, supervisor } = await home.liveRun(late.id)
    await untilBegun(home, late.id)
    const ready: TaskId[] = []
    for (const title of ['a', 'b', 'c']) ready.push((await createShellCard(home, title, 'true')).id)
    // The supervisor is stopped, so it cannot end the agent, although the time limit of the run is over.
    process.kill(supervisor, 'SIGSTOP')
    alterWorld(home).set({ clockOffsetMs: 2 * 3_600_000 })
    home.env['MUSTER_MACHINE_CAP'] = '2'
    const store = await home.store()
    const before = await store.exportAll()
    const report = await home.dispatch('--dry-run')
    expect(report.started).toMatchObject([{ id: ready[0] }])
    expect(report.capped.map(({ id }) => id)).toEqual(ready.slice(1))
    expect((await home.dispatch('--dry-run', '--max', '0')).started).toEqual([])
    expect(isLiving(run)).toBe(true)
    expect(await store.exportAll()).toEqual(before)
    const members = groupMembers(thisHost().processes, { run: run.id, leader: null })
    expect(members.some(({ pid }) => pid !== supervisor)).toBe(true)
  })
})

// These tests do not depend on the engine.
describe('starts and reports', () => {
  test('the text and the JSON contain every reason to wait (scenarios 43, 45, 46)', async () => {
    const home = makeTestHome('sqlite')
    writeAgent(home, 'single', 'harness: shell\nmaxConcurrent: 1')
    home.env['MUSTER_MACHINE_CAP'] = '4'
    const mine: TaskId[] = []
    for (const title of ['a', 'b', 'c'])
      mine.push((await home.create(title, '--assignee', 'single', '--body', WAITS)).id)
    const other = await createShellCard(home, 'd', WAITS)
    const alone = await home.create('nobody')
    const report = reportSchema.parse(await home.dispatch())
    expect(new Set(report.started.map(({ id }) => id))).toEqual(new Set([mine[0], other.id]))
    const waiting = { agent: 'single', phase: 'work', cap: 'agent', used: 1, limit: 1 }
    expect(report.capped).toEqual(mine.slice(1).map((id) => ({ id, ...waiting })))
    expect(report.unassigned).toEqual([alone.id])

    const more: TaskId[] = []
    for (const title of ['e', 'f', 'g', 'h']) more.push((await createShellCard(home, title, WAITS)).id)
    await home.setBoard({ maxRunning: 8 })
    const second = await home.dispatch()
    expect(second.started.map(({ id }) => id)).toEqual(more.slice(0, 2))
    expect(second.capped.map(({ id }) => id).toSorted()).toEqual([...mine.slice(1), ...more.slice(2)].toSorted())
    expect(second.capped.find(({ id }) => id === more[3])).toMatchObject({ cap: 'machine', used: 4, limit: 4 })

    await home.runInline('pause', 'agent', 'shell')
    const { stdout } = await home.muster('dispatch')
    expect(stdout).toContain(`capped       ${more[3]}  the limit of the machine is reached: 4 of 4 runs`)
    expect(stdout).toContain(`unassigned   ${alone.id}`)
    expect(stdout).toContain('paused       agent shell')
  })

  test('two boards share the cap of a machine, and cards of both are run (scenario 44)', async () => {
    const home = makeTestHome('sqlite')
    await home.runInline('init')
    await home.runInline('boards', 'create', 'other')
    const cards: TaskView[] = []
    for (let nth = 0; nth < 5; nth += 1) {
      cards.push(await createShellCard(home, `d${nth}`, 'sleep 0.1'))
      cards.push(await createShellCard(home, `o${nth}`, 'sleep 0.1', '--board', 'other'))
    }
    startUp(home, { MUSTER_MACHINE_CAP: '2' })
    const store = await home.store()
    for (const { id, board } of cards)
      await home.until(`${id} is done`, async () => (await store.task(board, id))?.status === 'done')
    const spans = (await Promise.all(cards.map(({ board, id }) => store.runs(board, id)))).flat()
    const alive = (at: number): number => spans.filter((run) => run.startedAt <= at && (run.endedAt ?? 0) > at).length
    expect(Math.max(...spans.map(({ startedAt }) => alive(startedAt)))).toBe(2)
  })
})

test('`dispatch --wait` prints each event as it happens', async () => {
  const home = makeTestHome('sqlite')
  const [first, second] = [await createShellCard(home, 'first', WAITS), await createShellCard(home, 'second', WAITS)]
  const alone = await home.create('nobody')
  const pass = home.start(['dispatch', '--wait'])
  await untilPrinted(home, pass, `started      ${second.id}  shell  attempt 1`)
  await untilPrinted(home, pass, `unassigned   ${alone.id}`)
  for (const { id } of [second, first]) {
    await untilBegun(home, id)
    expect(pass.output()).not.toContain(`settled      ${id}`)
    finish(home, id)
    await untilPrinted(home, pass, `settled      ${id}  completed  now done`)
  }
  expect(await pass.ended).toMatchObject({ code: 0 })
})

describe('stopping (sqlite)', () => {
  test('a draining dispatcher waits for runs, and a second signal stops the dispatcher', async () => {
    const home = makeTestHome('sqlite')
    const first = await createShellCard(home, 'first', WAITS)
    const second = await createShellCard(home, 'second', 'echo second')
    const running = startUp(home, { MUSTER_MACHINE_CAP: '1' }, '--drain')
    await untilBegun(home, first.id)
    running.child.kill('SIGTERM')
    await untilPrinted(home, running, 'Waiting for runs to finish')
    finish(home, first.id)
    expect((await running.ended).code).toBe(0)
    expect(running.output()).toContain('Stopped.')
    expect((await home.show(first.id)).status).toBe('done')
    expect((await home.show(second.id)).status).toBe('ready')

    const third = await createShellCard(home, 'third', WAITS, '--priority', '5')
    const again = startUp(home, { MUSTER_MACHINE_CAP: '1' }, '--drain')
    await untilBegun(home, third.id)
    again.child.kill('SIGINT')
    await untilPrinted(home, again, 'Waiting for runs to finish')
    again.child.kill('SIGINT')
    expect((await again.ended).code).toBe(0)
    expect(again.output()).toContain('Stopped. 1 run continues.')
  })

  test('`up` prints its limits, and `up --no-dispatch` starts nothing', async () => {
    const home = makeTestHome('sqlite')
    await home.runInline('init')
    await home.setBoard({ defaultAssignee: 'shell', maxRunning: 3 })
    const idle = startUp(home, {}, '--no-dispatch')
    await untilPrinted(home, idle, 'Showing events only')
    idle.child.kill('SIGTERM')
    expect((await idle.ended).code).toBe(0)
    const running = startUp(home, { MUSTER_MACHINE_CAP: '' })
    await untilPrinted(home, running, 'Running cards')
    expect(running.output()).toMatch(/^Running cards from .*, up to 4 at a time\. Press Ctrl-C to stop\./m)
    expect(running.output()).toMatch(/^Agents: shell\./m)
    expect(running.output()).toMatch(/^Next, in another terminal: muster create /m)
    running.child.kill('SIGTERM')
    expect((await running.ended).code).toBe(0)
    const warned = startUp(home, { MUSTER_MACHINE_CAP: 'many' })
    await untilPrinted(home, warned, 'MUSTER_MACHINE_CAP must be a whole number of at least 1; using 4.')
  })
})

describe.each(SURFACE_ENGINES)('one board among several (%s)', (engine) => {
  test('`up --board` runs only the cards of the named board', async () => {
    const home = makeTestHome(engine)
    await home.runInline('boards', 'create', 'garden')
    const elsewhere = await createShellCard(home, 'elsewhere', 'true')
    const here = await createShellCard(home, 'here', 'true', '--board', 'garden')
    const running = startUp(home, {}, '--board', 'garden')
    await untilPrinted(home, running, 'of board garden only')
    const store = await home.store()
    await home.until('the garden is done', async () => (await store.task('garden', here.id))?.status === 'done')
    await untilPrinted(home, running, 'completed')
    running.child.kill('SIGTERM')
    await running.ended
    expect((await store.task('default', elsewhere.id))?.status).toBe('ready')
    expect(running.output()).not.toContain(elsewhere.id)
  })

  test('`up --board` refuses a board that does not exist', async () => {
    const home = makeTestHome(engine)
    await home.runInline('init')
    const { code, stderr } = await home.muster('up', '--board', 'gardn')
    expect([code, stderr]).toEqual([3, expect.stringContaining('There is no board gardn')])
  })

  test('`dispatch --wait` ends when its board is deleted', async () => {
    const home = makeTestHome(engine)
    await home.runInline('boards', 'create', 'garden')
    const card = await createShellCard(home, 'weeding', WAITS, '--board', 'garden')
    const waiting = home.start(['dispatch', '--wait', '--board', 'garden'])
    const store = await home.store()
    const path = await home.until('it has begun', async () => {
      const task = await store.task('garden', card.id)
      return task?.workspace.path != null && appeared(join(task.workspace.path, 'begun')) && task.workspace.path
    })
    waiting.child.kill('SIGSTOP')
    writeFileSync(join(path, 'go'), '')
    await home.until('it is done', async () => (await store.task('garden', card.id))?.status === 'done')
    await home.runInline('boards', 'archive', 'garden')
    await home.runInline('boards', 'delete', 'garden', '--yes')
    expect(await store.board('garden')).toBeNull()
    waiting.child.kill('SIGCONT')
    const { code } = await waiting.ended
    expect(code).toBe(0)
  })
})

describe('output of up', () => {
  test('`up` prints every event when more than 500 arrive at once', async () => {
    const home = makeTestHome('sqlite')
    await home.runInline('init')
    const running = startUp(home, {}, '--no-dispatch')
    await untilPrinted(home, running, 'Showing events only')
    running.child.kill('SIGSTOP')
    const store = await home.store()
    const address = { board: 'default', actor: { kind: 'person', name: 'ada' } } as const
    for (let at = 0; at < 600; at += 1)
      await store.decide({ ...address, verb: 'pause', input: { kind: 'agent', name: `agent-${at}` } })
    running.child.kill('SIGCONT')
    await untilPrinted(home, running, 'agent agent-599')
    expect(running.output().match(/agent agent-\d+/g)).toHaveLength(600)
  })
})
