import { expect, it } from 'vitest'
import { card, clockwork, commentOf, runOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

describeStores('the doctor', (open) => {
  it('a board with cards in every state has no findings', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    await desk.card('c', { parents: [card('p')] })
    await desk.card('w', { parents: [card('p')] })
    await desk.ok('promote', { task: card('w'), force: true })
    await desk.run(card('p'))
    await desk.card('b', { blocked: true })
    await desk.card('s', { scheduledAt: (await desk.store.now()) + 1000 })
    await desk.card('d')
    await desk.ok('delete', { task: card('d') })
    expect(await desk.store.doctor()).toEqual([])
    expect(await desk.store.doctor({ fix: true })).toEqual([])
  })

  const faults: readonly (readonly [rule: string, damage: string, repaired: object])[] = [
    ['open_parents', `update task set open_parents = 5 where id = '${card('c')}'`, { openParents: 1, status: 'todo' }],
    [
      'waiting_without_parents',
      `update task set status = 'todo' where id = '${card('p')}'`,
      { status: 'ready', openParents: 0 },
    ],
    ['ready_with_parents', `update task set status = 'ready' where id = '${card('c')}'`, { status: 'todo' }],
    [
      'blocked_without_reason',
      `update task set block_kind = null, block_reason = null, blocked_by = null where id = '${card('b')}'`,
      { status: 'blocked', blockKind: 'needs_input', blockReason: 'unknown' },
    ],
    ['rank', `update task set rank = 7 where id = '${card('p')}'`, { status: 'ready' }],
    ['overdue_unseen', `update task set due_at = null where id = '${card('s')}'`, { status: 'scheduled' }],
    ['rank', `update task set rank = rank + 1 where id = '${card('p')}'`, { status: 'ready' }],
  ]

  it.each(faults)(
    'a violation of the rule %s is found, and repaired only with `fix`',
    async (rule, damage, repaired) => {
      const desk = await Desk.open(await open())
      await desk.card('p')
      await desk.card('c', { parents: [card('p')] })
      await desk.card('b', { blocked: true })
      await desk.card('s', { scheduledAt: (await desk.store.now()) + 60_000 })
      await desk.test.raw(damage)
      const before = await desk.store.exportAll()
      const found = await desk.store.doctor()
      expect(found.map((finding) => [finding.rule, finding.fixed])).toEqual([[rule, false]])
      expect(found[0]).toMatchObject({ board: 'main', message: expect.stringContaining(String(found[0]?.id)) })
      expect(await desk.store.exportAll()).toEqual(before)

      const fixed = await desk.store.doctor({ fix: true })
      expect(fixed.map((finding) => [finding.rule, finding.fixed])).toEqual([[rule, true]])
      const id = card(/t_0*(\w)/.exec(damage)?.[1] ?? '')
      const { scheduledAt } = await desk.task(id)
      expect(await desk.task(id)).toMatchObject({ ...repaired, dueAt: scheduledAt })
      expect(await desk.lastEvent(id)).toMatchObject({ kind: 'repaired', data: { rule } })
      expect((await desk.events(id)).at(-1)?.actor).toBe('muster:doctor')
      expect(await desk.store.doctor()).toEqual([])
    },
  )

  it('a running card without a deadline or with an expired lease is found', async () => {
    const desk = await Desk.open(await open())
    const { runId } = await desk.run(await desk.card('a'))
    await desk.test.raw(`update task set due_at = null where id = '${card('a')}'`)
    expect((await desk.store.doctor()).map(({ rule, id }) => [rule, id])).toEqual([['overdue_unseen', card('a')]])
    await desk.store.doctor({ fix: true })
    expect(await desk.store.doctor()).toEqual([])
    await desk.test.raw(`update run set lease_until = 1 where id = '${runId}'`)
    const rules = (await desk.store.doctor({ fix: true })).map(({ rule, fixed }) => [rule, fixed])
    expect(rules).toEqual([
      ['overdue_unseen', true],
      ['lapsed_lease', false],
    ])
  })

  it('a long chain of cards has no findings', async () => {
    const desk = await Desk.open(await open())
    const names = Array.from({ length: 900 }, (_, at) => card(`n${at}`))
    const cards = names.map((id, at) => ({ id, title: `Card ${at}`, parents: names.slice(at - 1, at) }))
    await desk.ok('create', { cards })
    expect(await desk.store.doctor()).toEqual([])
  })

  it('a deadline that is set too late is found and repaired', async () => {
    const desk = await Desk.open(await open())
    const claimed = await desk.run(await desk.card('running'))
    await desk.settle(await desk.run(await desk.card('cools')), { ending: { how: 'timed_out' } })
    const due = await Promise.all([card('running'), card('cools')].map(async (id) => (await desk.task(id)).dueAt))
    await desk.test.raw('update task set due_at = due_at + 1')
    const found = await desk.store.doctor({ fix: true })
    expect(found.map(({ rule, id }) => `${rule} ${id}`).sort()).toEqual([
      `overdue_unseen ${card('cools')}`,
      `overdue_unseen ${claimed.task}`,
    ])
    expect((await desk.task(card('running'))).dueAt).toBe(due[0])
    expect((await desk.task(card('cools'))).dueAt).toBe(due[1])
  })

  it('a run whose lease has expired is reported but not ended', async () => {
    const desk = await Desk.open(await open())
    const { task } = await desk.run(await desk.card('a'))
    await desk.test.raw('update run set lease_until = 1')
    await desk.test.raw('update task set due_at = 1')
    const found = await desk.store.doctor({ fix: true })
    expect(found).toMatchObject([{ rule: 'lapsed_lease', id: task, fixed: false }])
    expect(await desk.status(task)).toBe('running')
  })

  it('a wrong count of open parents and the status that it caused are repaired together', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    await desk.card('c', { parents: [card('p')] })
    await desk.test.raw(`update task set status = 'ready', open_parents = 0 where id = '${card('c')}'`)
    const fixed = await desk.store.doctor({ fix: true })
    expect(fixed.map((finding) => finding.rule)).toEqual(['open_parents', 'ready_with_parents'])
    expect(await desk.task(card('c'))).toMatchObject({ status: 'todo', openParents: 1 })
    await desk.complete(card('p'))
    expect(await desk.status(card('c'))).toBe('ready')
  })

  it('a card that is missing from the search index is found and added', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a', { title: 'A needle' })
    await desk.test.raw('delete from task_text')
    expect(await desk.store.tasks('main', { text: 'needle' })).toEqual([])
    expect(await desk.store.doctor()).toMatchObject([{ rule: 'search_index', id: card('a'), fixed: false }])
    expect(await desk.store.doctor({ fix: true })).toMatchObject([{ rule: 'search_index', fixed: true }])
    expect(await desk.store.tasks('main', { text: 'needle' })).toMatchObject([{ id: card('a') }])
    expect(await desk.store.doctor()).toEqual([])
  })

  it('comments and results that are missing from the search index are found and added', async () => {
    const desk = await Desk.open(await open())
    const long = `${'hay '.repeat(5_000)}needle`
    for (const letter of ['a', 'b', 'c', 'd']) await desk.card(letter)
    await desk.ok('comment', { task: card('a'), id: commentOf('a'), body: 'a needle' })
    await desk.ok('complete', { task: card('b'), runId: runOf('b'), result: 'a needle' })
    await desk.ok('comment', { task: card('c'), id: commentOf('c'), body: long })
    const found = async () => (await desk.store.tasks('main', { text: 'needle' })).map(({ id }) => id).toSorted()
    const all = [card('a'), card('b'), card('c')].toSorted()
    expect(await found()).toEqual(all)
    await desk.test.raw('delete from note_text')
    expect(await found()).toEqual([])
    const missing = all.map((id) => ({ rule: 'note_index', id, fixed: false }))
    expect(await desk.store.doctor()).toMatchObject(missing)
    expect(await desk.store.doctor({ fix: true })).toMatchObject(all.map((id) => ({ id, fixed: true })))
    expect(await found()).toEqual(all)
    expect(await desk.store.doctor()).toEqual([])
    await desk.ok('comment', { task: card('d'), id: commentOf('d'), body: 'another needle' })
    expect(await found()).toEqual([...all, card('d')].toSorted())
  })

  it('missing and surplus labels in the label index are found and repaired', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a', { labels: ['bug', 'ui'] })
    await desk.card('b')
    await desk.test.raw(`delete from card_value where value = 'ui'`)
    await desk.test.raw(
      `insert into card_value (board, field, value, task_id) values ('main', 'labels', 'gone', '${card('b')}')`,
    )
    expect(await desk.store.doctor()).toMatchObject([
      { rule: 'labels', id: card('a'), fixed: false },
      { rule: 'labels', id: card('b'), fixed: false },
    ])
    expect(await desk.store.doctor({ fix: true })).toMatchObject([{ fixed: true }, { fixed: true }])
    expect(await desk.store.doctor()).toEqual([])
    expect((await desk.store.tasks('main', { labels: ['ui'] })).map(({ id }) => id)).toEqual([card('a')])
    expect(await desk.store.tasks('main', { labels: ['gone'] })).toEqual([])
  })

  it('wrong counters are found and corrected', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.test.raw(`update tally set n = n + 2`)
    const message = 'Board main counts 3 ready cards of coder, but has 1.'
    expect(await desk.store.doctor()).toEqual([{ rule: 'tally', board: 'main', id: null, message, fixed: false }])
    expect(await desk.store.doctor({ fix: true })).toMatchObject([{ rule: 'tally', fixed: true }])
    expect(await desk.store.doctor()).toEqual([])
    expect(await desk.store.groups('main')).toEqual([{ status: 'ready', assignee: 'coder', count: 1 }])
  })

  it('problems that need a person are reported but not repaired', async () => {
    const desk = await Desk.open(await open())
    const claimed = await desk.run(await desk.card('a'))
    await desk.card('o')
    await desk.card('x')
    await desk.card('y', { parents: [card('x')] })
    await desk.test.raw(`insert into link (board, parent_id, child_id, created_at, waived_by, waived_at)
      values ('main', '${card('y')}', '${card('x')}', 0, 'raw', 0)`)
    await desk.test.raw(`update run set ended_at = 1, outcome = 'crashed' where id = '${claimed.runId}'`)
    await desk.test
      .raw(`insert into run (board, id, task_id, attempt, phase, kind, from_status, claimed_by, started_at, probe)
      values ('main', '${runOf('orphan')}', '${card('o')}', 1, 'work', 'manual', 'ready', 'raw', 0, 0)`)
    const found = await desk.store.doctor({ fix: true })
    expect(found.map(({ rule, id, fixed }) => ({ rule, id, fixed }))).toEqual([
      { rule: 'current_run', id: card('a'), fixed: false },
      { rule: 'orphaned_run', id: card('o'), fixed: false },
      { rule: 'cycle', id: card('x'), fixed: false },
      { rule: 'cycle', id: card('y'), fixed: false },
    ])
  })

  it('a read-only connection can check but not repair', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    await desk.card('c', { parents: [card('p')] })
    await desk.test.raw(`update task set open_parents = 5 where id = '${card('c')}'`)
    const reader = await desk.test.again({ mode: 'read' })
    expect(await reader.doctor()).toHaveLength(1)
    await expect(reader.doctor({ fix: true })).rejects.toMatchObject({ code: 'store_read_only' })
    expect((await desk.task(card('c'))).openParents).toBe(5)
  })

  it('the store file is checked once after each boot of the machine', async () => {
    const { store, raw } = await open()
    const bootId = async () => (await raw(`select value from meta where key = 'boot_id'`))[0]?.value
    expect(await store.checkAfterBoot('boot-1')).toEqual([])
    expect(await bootId()).toBe('boot-1')
    expect(await store.checkAfterBoot('boot-1')).toEqual([])
    expect(await store.checkAfterBoot('boot-2')).toEqual([])
    expect(await bootId()).toBe('boot-2')
  })
})

describeStores('a read-only connection', (open) => {
  it('a read-only connection refuses every write and can read', async () => {
    const desk = await Desk.open(await open())
    const claimed = await desk.run(await desk.card('a'))
    const reader = await desk.test.again({ mode: 'read' })
    const readOnly = { code: 'store_read_only' }
    await expect(desk.through(reader).do('hold', { task: card('a') })).rejects.toMatchObject(readOnly)
    await expect(reader.renewLease('main', claimed.fence)).rejects.toMatchObject(readOnly)
    await expect(reader.checkAfterBoot('boot')).rejects.toMatchObject(readOnly)
    expect(await reader.exportAll()).toEqual(await desk.store.exportAll())
    expect(await reader.task('main', card('a'))).toMatchObject({ status: 'running' })
  })

  it('a read-only connection sees the commits of other connections', async () => {
    const desk = await Desk.open(await open())
    const reader = await desk.test.again({ mode: 'read' })
    await desk.card('a')
    expect(await reader.task('main', card('a'))).toMatchObject({ status: 'ready' })
    await desk.ok('hold', { task: card('a') }, clockwork)
    expect(await reader.task('main', card('a'))).toMatchObject({ held: true })
  })
})

describeStores('a closed store', (open) => {
  it('a store that closes finishes pending writes and refuses new writes', async () => {
    const desk = await Desk.open(await open())
    const store = await desk.test.again()
    const under = desk.through(store)
    const writing = Promise.all([under.card('a'), under.card('b'), under.card('c')])
    await new Promise((resolve) => setImmediate(resolve))
    await store.close()
    await store.close()
    await writing
    await expect(store.boards()).rejects.toThrow(/closed|does not answer/)
    await expect(under.card('d')).rejects.toThrow(/closed|does not answer/)
    expect(await desk.store.tasks('main')).toHaveLength(3)
  })
})

describeStores('an export', (open) => {
  it('an export has every row of every table in a fixed order', async () => {
    const desk = await Desk.open(await open())
    await desk.card('b')
    await desk.card('a', { parents: [card('b')] })
    await desk.finish(card('b'))
    await desk.ok('pause_account', { account: 'acme', cause: 'person' })
    const rows = await desk.store.exportAll()
    expect(Object.keys(rows)).toEqual([
      'board',
      'task',
      'link',
      'run',
      'comment',
      'attachment',
      'event',
      'slot',
      'account',
      'dispatcher',
      'inbox_mark',
      'token',
      'saved_view',
      'series',
      'blackboard',
    ])
    expect(rows.task?.map((task) => task.id)).toEqual([card('a'), card('b')])
    expect(rows.link).toHaveLength(1)
    expect(rows.run).toHaveLength(1)
    expect(rows.account).toMatchObject([{ name: 'acme' }])
    expect(rows.dispatcher).toMatchObject([{ machine: 'laptop' }])
    expect(rows.event?.map((event) => event.id)).toEqual(rows.event?.map((_, at) => at + 1))
    expect(await desk.store.exportAll()).toEqual(rows)
  })
})
