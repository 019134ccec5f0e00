import { expect, it } from 'vitest'
import { card, clockwork, commentOf, runOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

describeStores('links', (open) => {
  it('a ready card that gets a parent waits until it is unlinked', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    await desk.card('c')
    expect(await desk.ok('link', { parent: card('p'), child: card('c') })).toMatchObject({ linked: true })
    expect(await desk.task(card('c'))).toMatchObject({ status: 'todo', openParents: 1, parents: [card('p')] })
    expect(await desk.store.openParents('main', card('c'))).toEqual([card('p')])
    expect(await desk.kinds(card('c'))).toEqual(['created', 'linked', 'demoted'])
    await desk.ok('unlink', { parent: card('p'), child: card('c') })
    expect(await desk.task(card('c'))).toMatchObject({ status: 'ready', openParents: 0, parents: [] })
    expect((await desk.kinds(card('c'))).slice(3)).toEqual(['unlinked', 'promoted'])
  })

  it('linking two cards twice changes nothing', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    await desk.card('c', { parents: [card('p')] })
    const before = await desk.store.exportAll()
    expect(await desk.ok('link', { parent: card('p'), child: card('c') })).toMatchObject({ linked: false })
    expect(await desk.store.exportAll()).toEqual(before)
  })

  it('a link that would close a cycle is refused', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.card('b', { parents: [card('a')] })
    await desk.card('c', { parents: [card('b')] })
    const refused = (parent: string, child: string) =>
      desk.refusedQuietly('link', { parent: card(parent), child: card(child) })
    expect(await refused('a', 'a')).toBe('self_link')
    expect(await refused('b', 'a')).toBe('cycle')
    expect(await refused('c', 'a')).toBe('cycle')
  })

  it('a cycle through a deleted card is refused', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.card('b', { parents: [card('a')] })
    await desk.card('c', { parents: [card('b')] })
    await desk.ok('delete', { task: card('b') })
    expect(await desk.refusedQuietly('link', { parent: card('c'), child: card('a') })).toBe('cycle')
  })

  it('cards of another board and missing cards cannot be linked', async () => {
    const desk = await Desk.open(await open())
    const other = new Desk(desk.test, 'other')
    await other.ok('create_board', { slug: 'other' })
    await other.card('x')
    await desk.card('a')
    const refused = (parent: string, child: string) =>
      desk.refusedQuietly('link', { parent: card(parent), child: card(child) })
    expect(await refused('x', 'a')).toBe('task_not_found')
    expect(await refused('a', 'x')).toBe('task_not_found')
    expect(await refused('nobody', 'a')).toBe('task_not_found')
    expect(await desk.refusedQuietly('unlink', { parent: card('x'), child: card('a') })).toBe('link_not_found')
  })

  it('the database refuses links across boards and self links', async () => {
    const desk = await Desk.open(await open())
    const other = new Desk(desk.test, 'other')
    await other.ok('create_board', { slug: 'other' })
    await other.card('x')
    await desk.card('a')
    const insert = (child: string) =>
      desk.test.raw(`insert into link (board, parent_id, child_id, created_at)
        values ('main', '${card('a')}', '${card(child)}', 0)`)
    await expect(insert('x')).rejects.toThrow(/foreign key/i)
    await expect(insert('a')).rejects.toThrow(/check/i)
  })

  it('a running card that gets a parent is marked as parent_reopened', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    await desk.card('c')
    const { runId } = await desk.run(card('c'))
    await desk.ok('link', { parent: card('p'), child: card('c') })
    expect(await desk.task(card('c'))).toMatchObject({ status: 'running', openParents: 1 })
    expect((await desk.runRow(runId)).parentReopenedAt).not.toBeNull()
    expect(await desk.lastEvent(card('c'))).toEqual({ kind: 'parent_reopened', runId, data: { parent: card('p') } })
  })
})

describeStores('gates', (open) => {
  it('children become ready when their last parent finishes', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    await desk.card('q')
    await desk.card('c', { parents: [card('p'), card('q')] })
    await desk.card('d', { parents: [card('p')] })
    await desk.finish(card('p'))
    expect(await desk.statuses(card('c'), card('d'))).toEqual(['todo', 'ready'])
    await desk.ok('archive', { task: card('q') })
    expect(await desk.task(card('c'))).toMatchObject({ status: 'ready', openParents: 0 })
    expect(await desk.lastEvent(card('c'))).toEqual({ kind: 'promoted', runId: null, data: { cause: 'parents' } })
  })

  it('blocked, scheduled and triage cards are not promoted by their parents', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    const parents = [card('p')]
    await desk.card('b', { parents, blocked: true })
    await desk.card('s', { parents, scheduledAt: (await desk.store.now()) + 60_000 })
    await desk.card('t', { parents, triage: true })
    await desk.complete(card('p'))
    expect(await desk.statuses(card('b'), card('s'), card('t'))).toEqual(['blocked', 'scheduled', 'triage'])
    expect(await desk.task(card('b'))).toMatchObject({ openParents: 0 })
  })

  it.each(['reopen', 'undelete', 'unarchive'] as const)(
    'the children of a parent wait again after `%s`',
    async (verb) => {
      const desk = await Desk.open(await open())
      await desk.card('p')
      const parents = [card('p')]
      for (const child of ['ready', 'running', 'done', 'gone']) await desk.card(child, { parents })
      if (verb === 'reopen') await desk.complete(card('p'))
      else await desk.ok(verb === 'undelete' ? 'delete' : 'archive', { task: card('p') })
      expect(await desk.status(card('ready'))).toBe('ready')
      const { runId } = await desk.run(card('running'))
      await desk.complete(card('done'))
      await desk.ok('delete', { task: card('gone') })

      await desk.ok(verb, { task: card('p') })
      expect(await desk.statuses(card('p'), card('ready'), card('running'), card('done'), card('gone'))).toEqual([
        'ready',
        'todo',
        'running',
        'done',
        'ready',
      ])
      for (const child of ['ready', 'running', 'done', 'gone'])
        expect((await desk.task(card(child))).openParents).toBe(1)
      expect(await desk.lastEvent(card('ready'))).toEqual({
        kind: 'demoted',
        runId: null,
        data: { cause: 'parent_reopened', parent: card('p') },
      })
      expect(await desk.lastEvent(card('running'))).toMatchObject({ kind: 'parent_reopened', runId })
      expect((await desk.runRow(runId)).parentReopenedAt).not.toBeNull()
      expect(await desk.kinds(card('done'))).not.toContain('demoted')
      expect(await desk.kinds(card('gone'))).not.toContain('demoted')
    },
  )

  it('an undeleted card waits for its open parents', async () => {
    const desk = await Desk.open(await open())
    await desk.complete(await desk.card('p'))
    await desk.card('c', { parents: [card('p')] })
    await desk.ok('delete', { task: card('c') })
    await desk.ok('reopen', { task: card('p') })
    expect(await desk.ok('undelete', { task: card('c') })).toMatchObject({ status: 'todo' })
    await desk.complete(card('p'))
    expect(await desk.status(card('c'))).toBe('ready')
  })

  it('a forced promotion waives open links and records the waiver', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    await desk.card('q')
    await desk.card('c', { parents: [card('p'), card('q')] })
    expect(await desk.refusedQuietly('promote', { task: card('c') })).toBe('parents_open')
    await desk.ok('promote', { task: card('c'), force: true, answer: { id: commentOf(1), text: 'we know better' } })
    expect(await desk.task(card('c'))).toMatchObject({ status: 'ready', openParents: 0 })
    expect(await desk.store.openParents('main', card('c'))).toEqual([])
    expect(await desk.lastEvent(card('c'))).toMatchObject({
      kind: 'promoted_manual',
      data: { forced: true, waived: [card('p'), card('q')] },
    })
    const { link } = await desk.store.exportAll()
    expect(link).toMatchObject([{ waivedBy: 'ada' }, { waivedBy: 'ada' }])
    expect(await desk.ok('claim', desk.claimInput(card('c')))).toMatchObject({ taskId: card('c') })
  })

  it('a waiver does not apply to links that are added later', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    await desk.card('q')
    await desk.card('c', { parents: [card('p')] })
    await desk.ok('promote', { task: card('c'), force: true })
    await desk.ok('link', { parent: card('q'), child: card('c') })
    expect(await desk.task(card('c'))).toMatchObject({ status: 'todo', openParents: 1 })
    await desk.complete(card('p'))
    expect(await desk.task(card('c'))).toMatchObject({ status: 'todo', openParents: 1 })
    await desk.complete(card('q'))
    expect(await desk.task(card('c'))).toMatchObject({ status: 'ready', openParents: 0 })
  })

  it('a waiver ends when its parent is finished and reopened', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    await desk.card('c', { parents: [card('p')] })
    await desk.ok('promote', { task: card('c'), force: true })
    await desk.complete(card('p'))
    await desk.ok('reopen', { task: card('p') })
    expect(await desk.task(card('c'))).toMatchObject({ status: 'todo', openParents: 1 })
    expect((await desk.store.exportAll()).link).toMatchObject([{ waivedBy: null, waivedAt: null }])
  })

  it('reopening a card clears its waivers', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    await desk.card('c', { parents: [card('p')] })
    await desk.ok('promote', { task: card('c'), force: true })
    await desk.complete(card('c'))
    expect(await desk.ok('reopen', { task: card('c') })).toMatchObject({ status: 'todo' })
    expect(await desk.task(card('c'))).toMatchObject({ status: 'todo', openParents: 1, completedAt: null })
    expect(await desk.kinds(card('c'))).not.toContain('demoted')
    expect(await desk.store.openParents('main', card('c'))).toEqual([card('p')])
  })

  it('removing a waived link does not change the count of open parents', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    await desk.card('q')
    await desk.card('c', { parents: [card('p')] })
    await desk.ok('promote', { task: card('c'), force: true })
    await desk.ok('link', { parent: card('q'), child: card('c') })
    await desk.ok('unlink', { parent: card('p'), child: card('c') })
    expect(await desk.task(card('c'))).toMatchObject({ status: 'todo', openParents: 1, parents: [card('q')] })
  })

  it('a card with an open parent cannot be completed', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    await desk.card('c', { parents: [card('p')] })
    await desk.card('b', { parents: [card('p')], blocked: true })
    expect(await desk.refusedQuietly('complete', { task: card('c'), runId: runOf('x') })).toBe('parents_open')
    expect(await desk.refusedQuietly('complete', { task: card('b'), runId: runOf('x') })).toBe('parents_open')
  })

  it('finishing a parent promotes hundreds of children in one decision', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    const ids = Array.from({ length: 600 }, (_, at) => card(`k${at}`))
    const cards = ids.map((id) => ({ id, title: 'Child', assignee: 'coder', parents: [card('p')] }))
    await desk.ok('create', { cards })
    await desk.complete(card('p'))
    expect(await desk.store.counts('main')).toMatchObject({ ready: 600, todo: 0, done: 1 })
    const promoted = (await desk.store.exportAll()).event?.filter((event) => event.kind === 'promoted')
    expect(promoted?.map((event) => event.taskId)).toEqual([...ids].sort())
  })

  it('only one of a folder sweep and a concurrent return of a child succeeds', async () => {
    const test = await open()
    const desk = await Desk.open(test)
    const other = desk.through(await test.again())
    for (let at = 0; at < 10; at += 1) {
      const [parent, child] = [await desk.card(`p${at}`), await desk.card(`c${at}`, { parents: [card(`p${at}`)] })]
      for (const id of [parent, child]) await desk.complete(id)
      const back = at % 2 === 0 ? 'reopen' : 'undelete'
      if (back === 'undelete') {
        await desk.ok('reopen', { task: child })
        await desk.ok('delete', { task: child })
      }
      const [swept, came] = await Promise.all([
        desk.do('sweep', { task: parent, stage: 'begin' }, clockwork),
        other.do(back, { task: child }),
      ])
      expect([swept.ok, came.ok].filter(Boolean)).toHaveLength(1)
    }
  })
})
