// Dispatchers of the real binary: leadership, caps and waits, messages, and stopping.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { dispatchOnce } from '../../src/operations/machine/dispatch-once.ts'
import type { TaskView } from '../../src/storage/store.ts'
import { groupMembers } from '../../src/processes/group.ts'
import { thisHost } from '../../src/processes/identity.ts'
import { appeared, isLiving, makeTestHome } from '../helpers/cli.ts'
import { ENGINES } from '../helpers/stores.ts'
import { alterWorld } from '../helpers/world.ts'
import { addAgent, begun, finish, has, outcomesOf, says, shell, up, WAITS } from './dispatching.ts'

const { output: reportSchema } = await dispatchOnce.schemas()

describe.each(ENGINES)('leadership (%s)', (engine) => {
  test('eight passes at once start one run and name the leader (scenario 1)', async () => {
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

  test('a standby dispatcher takes over from a killed or stopped one (scenario 2)', async () => {
    const home = makeTestHome(engine)
    await home.say('init')
    const first = up(home)
    await says(home, first, 'Running cards')
    const second = up(home)
    await says(home, second, 'Waiting to take over')
    first.child.kill('SIGKILL')
    await says(home, second, 'Running cards')

    const third = up(home)
    await says(home, third, 'Waiting to take over')
    second.child.kill('SIGSTOP')
    await says(home, third, 'Running cards')
    second.child.kill('SIGCONT')
    await says(home, second, 'Waiting to take over')
    const card = await shell(home, 'after all that', 'echo once')
    await has(home, card.id, 'done')
    expect(await outcomesOf(home, card.id)).toEqual(['completed'])
  })

  test('four runs survive a restarted dispatcher with one attempt each (scenario 68)', async () => {
    const home = makeTestHome(engine)
    const cards: TaskView[] = []
    for (const title of ['a', 'b', 'c', 'd']) cards.push(await shell(home, title, WAITS))
    const first = up(home)
    for (const { id } of cards) await begun(home, id)
    first.child.kill('SIGTERM')
    const { code, stderr } = await first.ended
    expect(code).toBe(0)
    expect(stderr).toContain('Stopped. 4 runs continue.')
    const second = up(home)
    await says(home, second, 'Running cards')
    second.child.kill('SIGKILL')
    await second.ended
    const third = up(home)
    await says(home, third, 'Running cards')
    for (const { id } of cards) finish(home, id)
    for (const { id } of cards) await has(home, id, 'done')
    for (const { id } of cards) expect(await outcomesOf(home, id)).toEqual(['completed'])
  })
})

describe.each(ENGINES)('starts and reports (%s)', (engine) => {
  test('a nudge wakes the running dispatcher and starts nothing itself (scenario 69)', async () => {
    const home = makeTestHome(engine)
    await home.say('init')
    const alone = await home.muster('dispatch', '--nudge', '--json')
    expect([alone.code, JSON.parse(alone.stderr)]).toMatchObject([1, { error: { code: 'dispatcher_absent' } }])
    const running = up(home, { MUSTER_SWEEP_MS: '600000', MUSTER_DISPATCHER_LEASE_MS: '60000' })
    await says(home, running, 'Running cards')
    const card = await home.create('for a newcomer', '--assignee', 'newcomer', '--body', 'echo here I am')
    await home.until('it was looked at', async () => (await home.muster('why', card.id)).stdout.includes('No agent'))
    // A dispatcher gets no notice of a file; it sees it after a nudge or at its next pass.
    addAgent(home, 'newcomer', 'description: comes late')
    const { stdout, code } = await home.muster('dispatch', '--nudge', '--json')
    expect([code, reportSchema.parse(JSON.parse(stdout))]).toMatchObject([0, { nudged: true, started: [] }])
    await has(home, card.id, 'done')
    expect(await outcomesOf(home, card.id)).toEqual(['completed'])
  })

  test('a dry run respects every cap and changes nothing (scenario 47)', async () => {
    const home = makeTestHome(engine)
    const late = await shell(home, 'late', WAITS, '--max-runtime', '1h')
    await home.dispatch()
    const { run, supervisor } = await home.liveRun(late.id)
    await begun(home, late.id)
    const ready: TaskId[] = []
    for (const title of ['a', 'b', 'c']) ready.push((await shell(home, title, 'true')).id)
    // The supervisor is stopped and cannot end the agent, whose two hours are over.
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
  test('every reason to wait is printed and in the JSON (scenarios 43, 45, 46)', async () => {
    const home = makeTestHome('sqlite')
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

    await home.say('pause', 'agent', 'shell')
    const { stdout } = await home.muster('dispatch')
    expect(stdout).toContain(`capped       ${more[3]}  the limit of the machine is reached: 4 of 4 runs`)
    expect(stdout).toContain(`unassigned   ${alone.id}`)
    expect(stdout).toContain('paused       agent shell')
  })

  test('two boards share the machine cap and both progress (scenario 44)', async () => {
    const home = makeTestHome('sqlite')
    await home.say('init')
    await home.say('boards', 'create', 'other')
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

test('dispatch --wait prints each line as soon as it is true', async () => {
  const home = makeTestHome('sqlite')
  const [first, second] = [await shell(home, 'first', WAITS), await shell(home, 'second', WAITS)]
  const alone = await home.create('nobody')
  const pass = home.start(['dispatch', '--wait'])
  await says(home, pass, `started      ${second.id}  shell  attempt 1`)
  await says(home, pass, `unassigned   ${alone.id}`)
  for (const { id } of [second, first]) {
    await begun(home, id)
    expect(pass.output()).not.toContain(`settled      ${id}`)
    finish(home, id)
    await says(home, pass, `settled      ${id}  completed  now done`)
  }
  expect(await pass.ended).toMatchObject({ code: 0 })
})

describe('stopping (sqlite)', () => {
  test('a draining dispatcher waits for runs, and a second signal stops it', async () => {
    const home = makeTestHome('sqlite')
    const first = await shell(home, 'first', WAITS)
    const second = await shell(home, 'second', 'echo second')
    const running = up(home, { MUSTER_MACHINE_CAP: '1' }, '--drain')
    await begun(home, first.id)
    running.child.kill('SIGTERM')
    await says(home, running, 'Waiting for runs to finish')
    finish(home, first.id)
    expect((await running.ended).code).toBe(0)
    expect(running.output()).toContain('Stopped.')
    expect((await home.show(first.id)).status).toBe('done')
    expect((await home.show(second.id)).status).toBe('ready')

    const third = await shell(home, 'third', WAITS, '--priority', '5')
    const again = up(home, { MUSTER_MACHINE_CAP: '1' }, '--drain')
    await begun(home, third.id)
    again.child.kill('SIGINT')
    await says(home, again, 'Waiting for runs to finish')
    again.child.kill('SIGINT')
    expect((await again.ended).code).toBe(0)
    expect(again.output()).toContain('Stopped. 1 run continues.')
  })

  test('up prints its limits, and --no-dispatch starts nothing', async () => {
    const home = makeTestHome('sqlite')
    await home.say('init')
    await home.shrink({ defaultAssignee: 'shell', maxRunning: 3 })
    for (const [flag = '', ...value] of [['--port', '0'], ['--host', '127.0.0.1'], ['--no-open']]) {
      const refused = await home.muster('up', flag, ...value, '--no-dispatch')
      expect(refused).toMatchObject({ code: 2, stdout: '' })
      expect(refused.stderr).toContain(`${flag} is not available yet`)
    }
    const idle = up(home, {}, '--no-dispatch')
    await says(home, idle, 'Showing events only')
    idle.child.kill('SIGTERM')
    expect((await idle.ended).code).toBe(0)
    const running = up(home, { MUSTER_MACHINE_CAP: '' })
    await says(home, running, 'Running cards')
    expect(running.output()).toContain('Running up to 4 cards at a time.')
    expect(running.output()).toContain('Board default: 3 at a time; default assignee shell; blocked after 2 failures')
    running.child.kill('SIGTERM')
    expect((await running.ended).code).toBe(0)
    const warned = up(home, { MUSTER_MACHINE_CAP: 'many' })
    await says(home, warned, 'MUSTER_MACHINE_CAP must be a whole number of at least 1; using 4.')
  })
})

describe.each(ENGINES)('one board among several (%s)', (engine) => {
  test('up --board runs the cards of that board only', async () => {
    const home = makeTestHome(engine)
    await home.say('boards', 'create', 'garden')
    const elsewhere = await shell(home, 'elsewhere', 'true')
    const here = await shell(home, 'here', 'true', '--board', 'garden')
    const running = up(home, {}, '--board', 'garden')
    await says(home, running, 'of board garden only')
    const store = await home.store()
    await home.until('the garden is done', async () => (await store.task('garden', here.id))?.status === 'done')
    await says(home, running, 'completed')
    running.child.kill('SIGTERM')
    await running.ended
    expect((await store.task('default', elsewhere.id))?.status).toBe('ready')
    expect(running.output()).not.toContain(elsewhere.id)
  })

  test('up --board refuses a board that does not exist', async () => {
    const home = makeTestHome(engine)
    await home.say('init')
    const { code, stderr } = await home.muster('up', '--board', 'gardn')
    expect([code, stderr]).toEqual([3, expect.stringContaining('There is no board gardn')])
  })

  test('dispatch --wait ends when its board is deleted meanwhile', async () => {
    const home = makeTestHome(engine)
    await home.say('boards', 'create', 'garden')
    const card = await shell(home, 'weeding', WAITS, '--board', 'garden')
    const waiting = home.start(['dispatch', '--wait', '--board', 'garden'])
    const store = await home.store()
    const path = await home.until('it has begun', async () => {
      const task = await store.task('garden', card.id)
      return task?.workspace.path != null && appeared(join(task.workspace.path, 'begun')) && task.workspace.path
    })
    waiting.child.kill('SIGSTOP')
    writeFileSync(join(path, 'go'), '')
    await home.until('it is done', async () => (await store.task('garden', card.id))?.status === 'done')
    await home.say('boards', 'archive', 'garden')
    await home.say('boards', 'delete', 'garden', '--yes')
    expect(await store.board('garden')).toBeNull()
    waiting.child.kill('SIGCONT')
    const { code } = await waiting.ended
    expect(code).toBe(0)
  })
})

describe('output of up', () => {
  test('up prints every event of a burst of over 500', async () => {
    const home = makeTestHome('sqlite')
    await home.say('init')
    const running = up(home, {}, '--no-dispatch')
    await says(home, running, 'Showing events only')
    running.child.kill('SIGSTOP')
    const store = await home.store()
    const address = { board: 'default', actor: { kind: 'person', name: 'ada' } } as const
    for (let at = 0; at < 600; at += 1)
      await store.decide({ ...address, verb: 'pause', input: { kind: 'agent', name: `agent-${at}` } })
    running.child.kill('SIGCONT')
    await says(home, running, 'agent agent-599')
    expect(running.output().match(/agent agent-\d+/g)).toHaveLength(600)
  })
})
