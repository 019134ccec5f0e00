import { expect, it } from 'vitest'
import type { Series } from '../../src/core/series.ts'
import { DISPATCHER_ACTOR } from '../../src/core/actor.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { runDueSeries } from '../../src/dispatcher/run-due-series.ts'
import { newTaskId } from '../../src/util/mint.ts'
import { DAY, HOUR, MINUTE, card, orchestrator, runOf, seriesOf, worker } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

const daily = { id: seriesOf('a'), schedule: 'daily 9:00', timeZone: 'UTC', card: { title: 'Report' } }

async function seriesNow({ store }: Desk, id = daily.id): Promise<Series> {
  const found = await store.seriesById(id)
  if (found === null) throw new Error(`there is no series ${id}`)
  return found
}

/**
 * Lets the series wait for a time in the past, as after a night without a dispatcher. The clock of PostgreSQL cannot be
 * moved.
 */
async function waitSince(desk: Desk, agoMs: number): Promise<number> {
  // Each call waits for another time of the series.
  await desk.test.pass(5)
  const at = (await desk.store.now()) - agoMs
  await desk.test.raw(
    `update series set next_at = ${at}, due_at = ${at}, computed_at = ${at - 1}, anchor_at = ${at - HOUR}`,
  )
  return at
}

describeStores('series', (open) => {
  it('a series can be added, edited, paused, resumed and removed, and has a next time', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('add_series', { ...daily, card: { title: 'Report', labels: ['night'], priority: 3 } })
    const added = await seriesNow(desk)
    const now = await desk.store.now()
    expect(added).toMatchObject({ board: 'main', createdBy: 'ada', created: 0, note: null, card: { priority: 3 } })
    expect(new Date(added.nextAt ?? 0).toISOString()).toContain('T09:00:00.000Z')
    expect((added.nextAt ?? 0) - now).toBeLessThanOrEqual(DAY)
    expect(await desk.store.nextSeriesAt()).toBe(added.nextAt)
    expect(await desk.store.dueSeries(now, 10)).toEqual([])
    await desk.ok('pause_series', { id: daily.id })
    expect(await seriesNow(desk)).toMatchObject({ nextAt: null, dueAt: null, pausedBy: 'ada' })
    expect(await desk.store.nextSeriesAt()).toBe(null)
    await desk.ok('edit_series', { id: daily.id, schedule: 'every 2h', skipIfRunning: true })
    expect(await seriesNow(desk)).toMatchObject({ nextAt: null, schedule: 'every 2h', skipIfRunning: true })
    await desk.ok('resume_series', { id: daily.id })
    const resumed = await seriesNow(desk)
    expect(resumed.pausedAt).toBe(null)
    expect((resumed.nextAt ?? 0) - (await desk.store.now())).toBeLessThanOrEqual(2 * HOUR)
    await desk.ok('remove_series', { id: daily.id })
    expect(await desk.refused('pause_series', { id: daily.id })).toBe('series_not_found')
    const kinds = (await desk.store.exportAll()).event?.map(({ kind }) => String(kind)) ?? []
    expect(kinds.filter((kind) => kind.startsWith('series_'))).toEqual([
      'series_added',
      'series_paused',
      'series_edited',
      'series_resumed',
      'series_removed',
    ])
  })

  it('a due series creates one card with its fields, linked to the series, and moves to its next time', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('add_series', { ...daily, schedule: 'every 1h', card: { title: 'Report', labels: ['night'] } })
    const slot = await waitSince(desk, 1_000)
    const [created, none] = [await runDueSeries(desk), await runDueSeries(desk)]
    expect([created.length, none.length]).toEqual([1, 0])
    const task = await desk.task(created[0] as TaskId)
    expect(task).toMatchObject({ title: 'Report', labels: ['night'], status: 'ready', createdBy: 'ada' })
    expect(task).toMatchObject({ series: daily.id, seriesSlot: slot })
    expect(await seriesNow(desk)).toMatchObject({
      created: 1,
      lastTask: task.id,
      lastSlot: slot,
      nextAt: slot + HOUR,
      dueAt: slot + HOUR,
    })
    expect(await desk.store.tasks('main', { series: daily.id })).toMatchObject([{ id: task.id }])
    expect(await desk.store.seriesCards(daily.id, 5)).toMatchObject([{ id: task.id }])
    expect(await desk.lastEvent(task.id)).toMatchObject({ kind: 'created', data: { series: daily.id } })
  })

  it('several missed times create one card, for the last of these times', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('add_series', { ...daily, schedule: 'every 1h' })
    const since = await waitSince(desk, 50 * HOUR + MINUTE)
    const [id] = await runDueSeries(desk)
    expect(await runDueSeries(desk)).toEqual([])
    expect(await desk.task(id as TaskId)).toMatchObject({ seriesSlot: since + 50 * HOUR })
    expect(await seriesNow(desk)).toMatchObject({ created: 1, nextAt: since + 51 * HOUR })
  })

  it('dispatchers on several machines create one card for each time', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('add_series', { ...daily, schedule: 'every 1h' })
    await waitSince(desk, 1_000)
    const others = await Promise.all(Array.from({ length: 5 }, () => desk.test.again()))
    const created = await Promise.all([desk.store, ...others].map((store) => runDueSeries({ store })))
    expect(created.flat()).toHaveLength(1)
    expect(await desk.store.tasks('main', { series: daily.id })).toHaveLength(1)
  })

  it('a command sent twice creates one card, and an outdated command creates none', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('add_series', { ...daily, schedule: 'every 1h' })
    const slot = await waitSince(desk, 1_000)
    const input = { id: daily.id, slot, task: card('a') }
    expect(await desk.ok('run_series', input, DISPATCHER_ACTOR)).toMatchObject({ task: card('a') })
    expect(await desk.ok('run_series', input, DISPATCHER_ACTOR)).toMatchObject({ task: null })
    expect(await desk.ok('run_series', { ...input, task: card('b') }, DISPATCHER_ACTOR)).toMatchObject({ task: null })
    expect(await desk.store.tasks('main')).toHaveLength(1)
    await desk.ok('run_series_now', { id: daily.id, task: card('c') })
    await desk.ok('run_series_now', { id: daily.id, task: card('c') })
    await desk.ok('run_series_now', { id: daily.id, task: card('d') })
    expect(await desk.store.tasks('main')).toHaveLength(3)
    expect(await seriesNow(desk)).toMatchObject({ created: 3, lastTask: card('d'), nextAt: slot + HOUR })
  })

  it('`skip-if-running` skips and records a time while the last card is unfinished', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('add_series', { ...daily, schedule: 'every 1h', skipIfRunning: true })
    await waitSince(desk, 1_000)
    const [first] = await runDueSeries(desk)
    for (const times of [1, 2]) {
      await waitSince(desk, 1_000)
      expect(await runDueSeries(desk)).toEqual([])
      expect((await seriesNow(desk)).note).toMatchObject({ kind: 'skipped', reason: 'still_running', times })
    }
    await desk.complete(first as TaskId)
    await waitSince(desk, 1_000)
    expect(await runDueSeries(desk)).toHaveLength(1)
    expect(await seriesNow(desk)).toMatchObject({ note: null, created: 2 })
    const skipped = (await desk.store.exportAll()).event?.filter(({ kind }) => kind === 'series_skipped')
    expect(skipped).toHaveLength(1)
  })

  it('a paused or archived board creates no card, and the series continues with its next time', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('add_series', { ...daily, schedule: 'every 1h' })
    await desk.ok('pause', { kind: 'board', name: 'main' })
    await waitSince(desk, 1_000)
    expect(await runDueSeries(desk)).toEqual([])
    expect((await seriesNow(desk)).note).toMatchObject({ kind: 'skipped', reason: 'board_paused' })
    await desk.ok('resume', { kind: 'board', name: 'main' })
    expect(await runDueSeries(desk)).toEqual([])
    await desk.ok('set_board', { archived: true })
    await waitSince(desk, 1_000)
    expect(await runDueSeries(desk)).toEqual([])
    expect((await seriesNow(desk)).note).toMatchObject({ kind: 'skipped', reason: 'board_archived', times: 1 })
    expect(await desk.refused('add_series', { ...daily, id: seriesOf('b') })).toBe('board_archived')
  })

  it('a refused card is recorded on its series, and the next time is tried again', async () => {
    const desk = await Desk.open(await open(), { defaultDirectory: '/srv/site' })
    const workspace = { kind: 'dir' as const }
    await desk.ok('add_series', { ...daily, schedule: 'every 1h', card: { title: 'Report', workspace } })
    await desk.ok('set_board', { settings: { defaultDirectory: null } })
    await waitSince(desk, 1_000)
    expect(await runDueSeries(desk)).toEqual([])
    expect(await runDueSeries(desk)).toEqual([])
    const failed = await seriesNow(desk)
    expect(failed.note).toMatchObject({ kind: 'failed', code: 'invalid_input', times: 1 })
    expect(failed.dueAt ?? 0).toBeGreaterThan(await desk.store.now())
    await desk.ok('set_board', { settings: { defaultDirectory: '/srv/site' } })
    await waitSince(desk, 1_000)
    expect(await runDueSeries(desk)).toHaveLength(1)
    expect((await seriesNow(desk)).note).toBe(null)
  })

  it('the cards of a series wait for its parents, and a deleted parent is recorded', async () => {
    const desk = await Desk.open(await open())
    const parent = await desk.card('p')
    await desk.ok('add_series', { ...daily, schedule: 'every 1h', card: { title: 'Report', parents: [parent] } })
    await waitSince(desk, 1_000)
    const [id] = await runDueSeries(desk)
    expect(await desk.task(id as TaskId)).toMatchObject({ status: 'todo', parents: [parent] })
    await desk.ok('delete', { task: parent })
    await waitSince(desk, 1_000)
    expect(await runDueSeries(desk)).toEqual([])
    expect((await seriesNow(desk)).note).toMatchObject({ kind: 'failed', code: 'task_not_found' })
  })

  it('a series continues after the clock was set back, without a second card for a time', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('add_series', { ...daily, schedule: 'every 1h' })
    const now = await desk.store.now()
    const year = now + 365 * DAY
    await desk.test.raw(`update series set next_at = ${year}, due_at = ${year}, computed_at = ${year}`)
    expect(await runDueSeries(desk)).toEqual([])
    const back = await seriesNow(desk)
    expect((back.nextAt ?? 0) - now).toBeLessThanOrEqual(2 * HOUR)
    expect(await desk.store.dueSeries(await desk.store.now(), 10)).toEqual([])
    const slot = await waitSince(desk, 1_000)
    await runDueSeries(desk)
    await desk.test.raw(`update series set next_at = ${slot}, due_at = ${slot}`)
    expect(await runDueSeries(desk)).toEqual([])
    expect(await seriesNow(desk)).toMatchObject({ created: 1, nextAt: slot + HOUR })
  })

  it('an unknown time zone is recorded on the series, and no card is lost', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('add_series', daily)
    const slot = await waitSince(desk, 1_000)
    await desk.test.raw(`update series set time_zone = 'Mars/Olympus'`)
    expect(await runDueSeries(desk)).toEqual([])
    expect(await seriesNow(desk)).toMatchObject({ nextAt: slot, note: { kind: 'failed', code: 'not_supported' } })
    expect(await runDueSeries(desk)).toEqual([])
    await desk.test.raw(`update series set time_zone = 'UTC', due_at = ${slot}`)
    expect(await runDueSeries(desk)).toHaveLength(1)
  })

  it('people and orchestrators can manage series, but workers cannot', async () => {
    const desk = await Desk.open(await open())
    const task = await desk.card('a')
    expect(await desk.refused('add_series', daily, worker(task, runOf('x')))).toBe('not_allowed')
    await desk.ok(
      'add_series',
      { ...daily, schedule: 'every 1h', card: { title: 'x', checks: ['make'] } },
      orchestrator,
    )
    await waitSince(desk, 1_000)
    const [id] = await runDueSeries(desk)
    expect(await desk.task(id as TaskId)).toMatchObject({ createdBy: 'agent:planner', commandsApproved: false })
    expect(await desk.refused('run_series_now', { id: daily.id, task: card('z') }, worker(task, runOf('x')))).toBe(
      'not_allowed',
    )
    expect(await desk.refused('edit_series', { id: daily.id, was: 1, schedule: 'hourly' })).toBe('series_changed')
    for (const bad of [{ schedule: 'every 1s' }, { timeZone: '+01:00' }, { card: { title: '' } }])
      expect(await desk.refused('add_series', { ...daily, id: seriesOf('c'), ...bad })).toBe('invalid_input')
  })

  it('a removed series keeps its cards, and a deleted board removes its series', async () => {
    const desk = await Desk.open(await open())
    const side = new Desk(desk.test, 'side')
    await side.ok('create_board', { slug: 'side' })
    await side.ok('add_series', { ...daily, id: seriesOf('s') })
    await desk.ok('add_series', daily)
    await desk.ok('run_series_now', { id: daily.id, task: newTaskId() })
    expect(await desk.refused('pause_series', { id: seriesOf('s') })).toBe('series_not_found')
    expect(await desk.store.series(null)).toHaveLength(2)
    await desk.ok('remove_series', { id: daily.id })
    expect(await desk.store.tasks('main', { series: daily.id })).toHaveLength(1)
    await side.ok('delete_board', {})
    expect(await desk.store.series(null)).toEqual([])
  })
})
