import { expect, it } from 'vitest'
import { attachmentOf, card, clockwork, commentOf, orchestrator, runOf, worker } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

describeStores('the archive', (open) => {
  it('unarchiving a card restores its previous status', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a', { blocked: true })
    await desk.ok('archive', { task: card('a') })
    expect(await desk.task(card('a'))).toMatchObject({ status: 'archived', archivedFrom: 'blocked' })
    expect(await desk.store.tasks('main')).toEqual([])
    expect(await desk.store.tasks('main', { archived: true })).toHaveLength(1)
    expect(await desk.store.tasks('main', { status: 'archived' })).toHaveLength(1)
    expect(await desk.refusedQuietly('archive', { task: card('a') })).toBe('wrong_status')
    expect(await desk.ok('unarchive', { task: card('a') })).toMatchObject({ status: 'blocked' })
    expect(await desk.task(card('a'))).toMatchObject({ archivedFrom: null, blockKind: 'needs_input' })
    expect(await desk.refusedQuietly('unarchive', { task: card('a') })).toBe('wrong_status')
  })

  it('an unarchived card waits for its open parents', async () => {
    const desk = await Desk.open(await open())
    await desk.complete(await desk.card('p'))
    await desk.card('c', { parents: [card('p')] })
    await desk.ok('archive', { task: card('c') })
    await desk.ok('reopen', { task: card('p') })
    expect(await desk.ok('unarchive', { task: card('c') })).toMatchObject({ status: 'todo' })
    await desk.ok('archive', { task: card('c') })
    await desk.complete(card('p'))
    expect(await desk.ok('unarchive', { task: card('c') })).toMatchObject({ status: 'ready' })
  })

  it('a reopened card can start at once', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.finish(card('a'))
    await desk.ok('archive', { task: card('a') })
    expect(await desk.ok('reopen', { task: card('a'), answer: { id: commentOf(1), text: 'it broke' } })).toMatchObject({
      status: 'ready',
    })
    expect(await desk.task(card('a'))).toMatchObject({ completedAt: null, archivedFrom: null, result: 'Done.' })
    expect(await desk.lastEvent(card('a'))).toMatchObject({ kind: 'reopened', data: { from: 'archived' } })
    await desk.claim(card('a'))
    expect(await desk.refusedQuietly('reopen', { task: card('a') })).toBe('wrong_status')
  })
})

describeStores('the trash', (open) => {
  it('commands and lists do not find a deleted card, but find an undeleted one', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.ok('delete', { task: card('a') })
    expect(await desk.store.task('main', card('a'))).toBeNull()
    expect(await desk.task(card('a'))).toMatchObject({ status: 'ready', deletedBy: 'ada' })
    expect(await desk.store.tasks('main', { archived: true })).toEqual([])
    expect((await desk.store.counts('main')).ready).toBe(0)
    expect(await desk.store.tasksByPrefix(card('a'))).toEqual([])
    expect(await desk.store.tasksByPrefix(card('a'), { deleted: true })).toMatchObject([{ id: card('a') }])
    expect(await desk.store.lanes()).toEqual([])
    for (const verb of ['delete', 'archive', 'hold', 'promote', 'unblock', 'reopen', 'wake'] as const)
      expect([verb, await desk.refusedQuietly(verb, { task: card('a') })]).toEqual([verb, 'task_not_found'])
    const comment = { task: card('a'), id: commentOf('x'), body: 'hello' }
    expect(await desk.refusedQuietly('comment', comment)).toBe('task_not_found')

    expect(await desk.refusedQuietly('undelete', { task: card('a') }, worker(card('a'), runOf('x')))).toBe(
      'not_allowed',
    )
    expect(await desk.ok('undelete', { task: card('a') }, orchestrator)).toMatchObject({ status: 'ready' })
    expect(await desk.task(card('a'))).toMatchObject({ deletedAt: null, deletedBy: null })
    expect(await desk.refusedQuietly('undelete', { task: card('a') })).toBe('nothing_to_undo')
    expect((await desk.kinds(card('a'))).slice(-2)).toEqual(['deleted', 'undeleted'])
  })

  it('a deleted parent does not hold back its children, an undeleted one does', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    await desk.card('c', { parents: [card('p')] })
    await desk.ok('delete', { task: card('p') })
    expect(await desk.task(card('c'))).toMatchObject({ status: 'ready', openParents: 0, parents: [card('p')] })
    await desk.ok('undelete', { task: card('p') })
    expect(await desk.task(card('c'))).toMatchObject({ status: 'todo', openParents: 1 })
  })

  it('a scheduled card in the trash is never due', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a', { scheduledAt: await desk.store.now() })
    await desk.ok('delete', { task: card('a') })
    expect(await desk.store.nextDue()).toBeNull()
    await desk.ok('undelete', { task: card('a') })
    expect(await desk.store.nextDue()).not.toBeNull()
  })

  it('the idempotency key of a deleted card stays taken until the card is purged', async () => {
    const desk = await Desk.open(await open(), { trashMs: 0 })
    await desk.card('a', { idempotencyKey: 'k' })
    await desk.ok('delete', { task: card('a') })
    const again = { cards: [{ id: card('b'), title: 'Again', idempotencyKey: 'k' }] }
    expect(await desk.ok('create', again)).toMatchObject({ ids: [card('a')], created: false })
    await desk.ok('purge', { task: card('a') }, clockwork)
    expect(await desk.ok('create', again)).toMatchObject({ ids: [card('b')], created: true })
  })

  it('an archived card releases its idempotency key to another card', async () => {
    const desk = await Desk.open(await open())
    const keyed = (name: string) => ({ cards: [{ id: card(name), title: 'Nightly', idempotencyKey: 'night' }] })
    await desk.ok('create', keyed('a'))
    await desk.ok('archive', { task: card('a') })
    expect(await desk.ok('create', keyed('b'))).toMatchObject({ ids: [card('b')], created: true })
    expect((await desk.task(card('a'))).idempotencyKey).toBe('night')
    for (const verb of ['unarchive', 'reopen'] as const) {
      const [back] = (await desk.ok('create', keyed('b'))).ids
      expect(back).toBe(card('b'))
      await desk.ok(verb, { task: card('a') })
      expect(await desk.task(card('a'))).toMatchObject({ status: 'ready', idempotencyKey: null })
      await desk.ok('archive', { task: card('a') })
    }
    await desk.ok('archive', { task: card('b') })
    await desk.ok('unarchive', { task: card('b') })
    expect((await desk.task(card('b'))).idempotencyKey).toBe('night')
    expect(await desk.ok('create', keyed('c'))).toMatchObject({ ids: [card('b')], created: false })
  })

  it('a purge deletes all rows of an expired card except its events', async () => {
    const desk = await Desk.open(await open(), { trashMs: 60_000 })
    await desk.card('p')
    await desk.card('a', { parents: [card('p')] })
    await desk.card('c', { parents: [card('a')] })
    await desk.ok('comment', { task: card('a'), id: commentOf('x'), body: 'hello' })
    const file = { id: attachmentOf('x'), taskId: card('a'), filename: 'f', storedPath: 'f', size: 1 }
    await desk.ok('attach', { ...file, contentType: null, sha256: null })
    await desk.complete(card('p'))
    await desk.settle(await desk.run(card('a')), { ending: { how: 'interrupted' } })
    expect(await desk.refusedQuietly('purge', { task: card('a') }, clockwork)).toBe('wrong_status')
    await desk.ok('delete', { task: card('a') })
    expect(await desk.refusedQuietly('purge', { task: card('a') }, clockwork)).toBe('wrong_status')
    const events = await desk.events(card('a'))
    await desk.test.raw(`update task set deleted_at = deleted_at - 60001 where id = '${card('a')}'`)
    await desk.ok('purge', { task: card('a') }, clockwork)

    const rows = await desk.store.exportAll()
    expect(rows.task?.map((task) => task.id)).toEqual([card('c'), card('p')])
    expect([rows.link, rows.run, rows.comment, rows.attachment]).toEqual([[], [], [], []])
    expect(await desk.events(card('a'))).toEqual(events)
    expect(await desk.task(card('c'))).toMatchObject({ status: 'ready', openParents: 0, parents: [] })
    expect(await desk.refusedQuietly('purge', { task: card('a') }, clockwork)).toBe('task_not_found')
    expect(await desk.refusedQuietly('undelete', { task: card('a') })).toBe('task_not_found')
  })
})
