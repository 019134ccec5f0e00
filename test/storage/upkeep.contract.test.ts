import { expect, it } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import type { EventSweep } from '../../src/storage/store.ts'
import { attachmentOf, card, clockwork, commentOf, orchestrator, runOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'
import { shownCommands } from '../helpers/shown-commands.ts'

/** Sweeps all old events. Returns the number of events that were deleted (or counted), and the number of steps. */
async function sweep(desk: Desk, how: Partial<EventSweep> = {}): Promise<{ events: number; steps: number }> {
  const whole = { before: (await desk.store.now()) + 1, board: null, remove: true, ...how }
  let [events, steps] = [0, 0]
  for (let after: number | null = 0; after !== null; steps += 1) {
    const step = await desk.store.sweepEvents({ ...whole, after })
    events += step.events
    after = step.next
  }
  return { events, steps }
}

const idOf = (cursor: string): number => Number(/\d+$/.exec(cursor)?.[0])
const taskIds = async (desk: Desk): Promise<(TaskId | null)[]> =>
  ((await desk.store.exportAll()).event ?? []).map((event) => event.taskId as TaskId | null)

describeStores('sweeping events', (open) => {
  it('a sweep of events deletes only those of finished, archived and purged cards', async () => {
    const desk = await Desk.open(await open(), { trashMs: 0 })
    for (const name of ['done', 'archived', 'purged', 'open', 'blocked', 'trashed']) await desk.card(name)
    await desk.complete(card('done'))
    await desk.ok('archive', { task: card('archived') })
    await desk.ok('delete', { task: card('purged') })
    await desk.ok('purge', { task: card('purged') }, clockwork)
    await desk.ok('block', { task: card('blocked'), runId: runOf('x'), reason: 'no', kind: 'needs_input' })
    await desk.ok('delete', { task: card('trashed') })
    const kept = (await taskIds(desk)).filter(
      (id) => ![card('done'), card('archived'), card('purged')].some((gone) => gone === id),
    )
    expect((await sweep(desk, { remove: false })).events).toBe(6)
    expect((await sweep(desk)).events).toBe(6)
    expect(await taskIds(desk)).toEqual(kept)
    expect(kept).toContain(null) // The value null stands for the events of the board itself.
    expect((await sweep(desk)).events).toBe(0)
  })

  it('a sweep of events keeps the events of edits by agents', async () => {
    const desk = await Desk.open(await open())
    for (const name of ['a', 'b']) await desk.card(name)
    const edit = (id: TaskId, body: string, actor?: typeof orchestrator) =>
      desk.ok('edit', { task: id, set: { body }, commandsApproved: true }, actor)
    expect(await desk.store.bodyWriter('main', card('a'))).toBeNull()
    await edit(card('a'), 'rm -rf .', orchestrator)
    await desk.ok('edit', { task: card('a'), set: { title: 'B' } })
    await edit(card('b'), 'mine')
    for (const id of [card('a'), card('b')]) await desk.complete(id)
    await sweep(desk)
    expect(await desk.kinds(card('a'))).toEqual(['edited'])
    expect(await desk.store.bodyWriter('main', card('a'))).toMatch(/^agent:/)
    expect(await desk.kinds(card('b'))).toEqual([])
    await desk.ok('reopen', { task: card('a') })
    const claim = { ...desk.claimInput(card('a')), trusted: [] }
    expect(await desk.refused('claim', claim)).toBe('gate_closed')
    const shown = shownCommands({ body: 'rm -rf .' })
    await desk.ok('approve_commands', { task: card('a'), shown, hash: 'h', asScript: true })
    await desk.ok('claim', claim)
  })

  it('a sweep of events keeps recent events and events of other boards', async () => {
    const desk = await Desk.open(await open())
    await desk.complete(await desk.card('a'))
    expect((await sweep(desk, { before: (await desk.store.now()) - 60_000 })).events).toBe(0)
    expect((await sweep(desk, { board: 'other' })).events).toBe(0)
    expect((await sweep(desk, { board: 'main' })).events).toBe(2)
  })

  it('after a sweep, a reader whose next events were deleted must resync', async () => {
    const desk = await Desk.open(await open())
    const start = (await desk.store.feed(null)).cursor
    await desk.card('a')
    const early = (await desk.store.feed(null)).cursor
    await desk.complete(card('a'))
    const middle = (await desk.store.feed(null)).cursor
    await desk.card('b')
    const { cursor } = await desk.store.feed(null)

    expect((await sweep(desk, { remove: false })).events).toBe(2)
    expect(await desk.store.feed(start)).toMatchObject({ resync: false })
    await sweep(desk)
    for (const missed of [start, early])
      expect(await desk.store.feed(missed)).toEqual({ events: [], cursor, resync: true, more: false })
    expect(await desk.store.feed(middle)).toMatchObject({ resync: false, events: [{ taskId: card('b') }] })
    expect(await desk.store.feed(cursor)).toEqual({ events: [], cursor, resync: false, more: false })

    // A later sweep never lowers the floor, which is the oldest id that a cursor may have.
    await desk.test.raw(`update meta set value = '${idOf(cursor)}' where key = 'floor'`)
    await desk.complete(card('b'))
    await desk.test.raw(`delete from event where id > ${idOf(cursor)}`)
    await sweep(desk)
    expect(await desk.test.raw(`select value from meta where key = 'floor'`)).toEqual([{ value: String(idOf(cursor)) }])
  })

  it('a sweep of events reads a thousand events in each step', async () => {
    const desk = await Desk.open(await open())
    const cards = Array.from({ length: 1_500 }, (_, at) => ({ id: card(`k${at}`), title: 'One of many' }))
    for (const some of [cards.slice(0, 750), cards.slice(750)]) await desk.ok('create', { cards: some })
    await desk.test.raw(`update task set status = 'done' where id >= '${card('k700')}' and id <= '${card('k799')}'`)
    const old = { events: 100, steps: 3 }
    expect(await sweep(desk, { remove: false })).toEqual(old)
    expect(await sweep(desk)).toEqual(old)
    expect((await desk.store.feed(null)).resync).toBe(false)
    await desk.card('later')
    expect((await sweep(desk)).events).toBe(0)
  })
})

describeStores('the queries of upkeep', (open) => {
  it('cards deleted before a given time are found', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.card('b')
    await desk.ok('delete', { task: card('a') })
    const now = await desk.store.now()
    expect(await desk.store.deletedBefore('main', now)).toMatchObject([
      {
        id: card('a'),
        title: 'Card a',
        workspace: { kind: 'scratch', path: null, repo: null, state: 'none', base: null, baseBranch: null },
      },
    ])
    expect(await desk.store.deletedBefore('main', now - 60_000)).toEqual([])
    expect(await desk.store.deletedBefore('other', now)).toEqual([])
  })

  it('folders of archived cards without unfinished children are sweepable', async () => {
    const desk = await Desk.open(await open())
    for (const name of ['plain', 'parent', 'kept', 'swept']) await desk.card(name)
    await desk.card('open')
    await desk.card('child', { parents: [card('parent')] })
    await desk.card('dir', { workspace: { kind: 'dir', path: '/srv/site', repo: null } })
    for (const name of ['plain', 'parent', 'kept', 'swept', 'dir']) await desk.ok('archive', { task: card(name) })
    await desk.test.raw(`update task set workspace_state = 'kept' where id = '${card('kept')}'`)
    await desk.ok('sweep', { task: card('swept'), stage: 'begin' })
    await desk.ok('unarchive', { task: card('swept') })
    const all = ['plain', 'parent', 'kept', 'swept', 'open', 'child', 'dir', 'nobody'].map(card)
    expect(await desk.store.sweepable('main', all, 0)).toEqual([card('swept')])
    const later = (await desk.store.now()) + 1_000
    expect(await desk.store.sweepable('main', all, later)).toEqual([card('plain'), card('swept')].sort())
    expect(await desk.store.unfinishedChild('main', card('parent'))).toBe(card('child'))
    expect(await desk.refused('sweep', { task: card('parent'), stage: 'begin' })).toBe('wrong_status')
    await desk.ok('delete', { task: card('child') })
    expect(await desk.store.unfinishedChild('main', card('parent'))).toBeNull()
    expect(await desk.store.sweepable('main', all, later)).toContain(card('parent'))
    expect(await desk.ok('sweep', { task: card('swept'), stage: 'end' })).toMatchObject({ state: 'gone' })
  })

  it('the folder of a recently finished card is not sweepable', async () => {
    const test = await open()
    const desk = await Desk.open(test)
    const [a, b] = [await desk.card('a'), await desk.card('b', { parents: [card('a')] })]
    await desk.run(a)
    expect(await desk.store.sweepDeferred('main', [a, b])).toEqual([])
    await desk.complete(await desk.card('alone'))
    const now = await desk.store.now()
    expect(await desk.store.sweepable('main', [a, b, card('alone')], now - 1_000)).toEqual([])
    expect(await desk.store.sweepable('main', [a, b, card('alone')], now + 1_000)).toEqual([card('alone')])
  })

  it('finished cards whose folder is kept for an unfinished child are listed', async () => {
    const desk = await Desk.open(await open())
    const [a, b] = [await desk.card('a'), await desk.card('b', { parents: [card('a')] })]
    const run = await desk.run(a)
    await desk.settle(run, { verdict: { kind: 'complete', summary: 'done' }, ending: { how: 'exited', exitCode: 0 } })
    expect(await desk.status(a)).toBe('done')
    expect(await desk.store.sweepDeferred('main', [a, b])).toEqual([a])
    const later = (await desk.store.now()) + 1_000
    expect(await desk.store.sweepable('main', [a, b], later)).toEqual([])
    await desk.complete(b)
    expect(await desk.store.sweepDeferred('main', [a, b])).toEqual([])
    expect(await desk.store.sweepable('main', [a, b], (await desk.store.now()) + 1_000)).toEqual([a, b].sort())
  })

  it('upkeep finds the ends of runs, the paths of files, and cards that were purged', async () => {
    const desk = await Desk.open(await open(), { trashMs: 0 })
    const live = await desk.run(await desk.card('a'))
    const over = await desk.run(await desk.card('b'))
    await desk.settle(over, { ending: { how: 'interrupted' } })
    const ends = await desk.store.runEnds([live.runId, over.runId, runOf('nobody')])
    expect([...ends.keys()].sort()).toEqual([live.runId, over.runId].sort())
    expect(ends.get(live.runId)).toEqual({ board: 'main', endedAt: null })
    expect(ends.get(over.runId)).toEqual({ board: 'main', endedAt: expect.any(Number) })

    const file = { id: attachmentOf('x'), taskId: card('a'), filename: 'f', storedPath: 'a/f', size: 1 }
    await desk.ok('attach', { ...file, contentType: null, sha256: null })
    expect(await desk.store.storedPaths('main', [card('a'), card('b')])).toEqual(['a/f'])

    await desk.ok('delete', { task: card('b') })
    await desk.ok('purge', { task: card('b') }, clockwork)
    const asked = [card('a'), card('b'), card('nobody')]
    expect([...(await desk.store.everKnown('main', asked))].sort()).toEqual([card('a'), card('b')])
    expect(await desk.store.everKnown('other', asked)).toEqual([])
    expect(await desk.store.everKnown('main', [])).toEqual([])
  })
})

describeStores('an export', (open) => {
  it('an export returns every row once, page by page, sorted by key', async () => {
    const desk = await Desk.open(await open())
    const cards = Array.from({ length: 1_001 }, (_, at) => ({ id: card(at), title: `Card ${at}` }))
    for (const some of [cards.slice(0, 1_000), cards.slice(1_000)]) await desk.ok('create', { cards: some })
    for (const at of [1, 2, 3]) await desk.ok('comment', { task: card(at), id: commentOf(4 - at), body: `${at}` })
    const pages: [string, number][] = []
    await desk.store.exportPages((table, rows) => void pages.push([table, rows.length]))
    const all = await desk.store.exportAll()
    expect(all.task?.map(({ id }) => id)).toEqual(cards.map(({ id }) => id).sort())
    expect(all.comment?.map(({ body }) => body)).toEqual(['1', '2', '3'])
    expect(Object.keys(all)).toEqual([...new Set(pages.map(([table]) => table))])
    expect(pages.filter(([table]) => table === 'task').map(([, rows]) => rows)).toEqual([250, 250, 250, 250, 1])
    expect(pages).toContainEqual(['attachment', 0])
    expect(all.attachment).toEqual([])
  })
})

describeStores('the queries of a sweep', (open) => {
  it('cards whose folder is being swept are listed, even in the trash', async () => {
    const desk = await Desk.open(await open())
    for (const name of ['a', 'b', 'c']) await desk.complete(await desk.card(name))
    for (const name of ['a', 'b']) await desk.ok('sweep', { task: card(name), stage: 'begin' }, clockwork)
    await desk.ok('delete', { task: card('b') })
    const now = await desk.store.now()
    expect(await desk.store.sweeping('main', now + 1_000)).toEqual([card('a'), card('b')].sort())
    expect(await desk.store.sweeping('main', now - 60_000)).toEqual([])
    expect(await desk.store.sweepable('main', [card('a'), card('b'), card('c')], 0)).toEqual(
      [card('a'), card('b')].sort(),
    )
    await desk.ok('sweep', { task: card('b'), stage: 'begin' }, clockwork)
    for (const name of ['a', 'b']) await desk.ok('sweep', { task: card(name), stage: 'end' }, clockwork)
    expect(await desk.store.sweeping('main', now + 1_000)).toEqual([])
  })

  it('each directory is listed once, without those of archived or deleted cards', async () => {
    const desk = await Desk.open(await open())
    const directory = (path: string) => ({ workspace: { kind: 'dir' as const, path, repo: null } })
    await desk.card('a', directory('/srv/a'))
    await desk.card('again', directory('/srv/a'))
    await desk.card('repo', { workspace: { kind: 'worktree', path: null, repo: '/srv/repo' } })
    await desk.card('scratch')
    for (const name of ['archived', 'deleted']) await desk.card(name, directory(`/srv/${name}`))
    await desk.ok('archive', { task: card('archived') })
    await desk.ok('delete', { task: card('deleted') })
    expect(await desk.store.namedPlaces()).toEqual(['/srv/a', '/srv/repo'])
  })
})
