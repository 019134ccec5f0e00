import { expect, it } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import type { Sort, TaskFilter } from '../../src/storage/store.ts'
import { SORTS } from '../../src/storage/store.ts'
import { DAY, card, runOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import type { TestStore } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

/** Creates seven cards of different ages, with letters in the order of creation. */
async function createSevenCards(test: TestStore): Promise<Desk> {
  const desk = await Desk.open(test)
  const cards = [
    { title: 'banana', priority: 1, assignee: 'coder', tenant: 'acme', session: 's1' },
    { title: 'Apple', priority: 5, assignee: 'writer', tenant: 'beta', workflow: 'w', step: 'one' },
    { title: 'cherry', priority: 1, assignee: null, tenant: 'acme', workflow: 'w', step: 'two' },
    { title: 'äpfel', priority: 0, assignee: 'coder', body: 'Über 100% of_it' },
    { title: 'Zebra', priority: 5, assignee: 'coder' },
    { title: 'apple', priority: -2, assignee: 'Alice' },
    { title: 'under Zebra', priority: 0, assignee: 'coder', parents: [card('e')] },
  ]
  for (const [at, fields] of cards.entries()) {
    await desk.card('abcdefg'.charAt(at), fields)
    await desk.test.pass(2)
  }
  return desk
}

const letters = (tasks: readonly { readonly id: TaskId }[]): string => tasks.map((task) => task.id.slice(-1)).join('')

describeStores('lists of cards', (open) => {
  it('cards are listed in the requested order', async () => {
    const desk = await createSevenCards(await open())
    await desk.ok('edit', { task: card('c'), set: { body: 'touched' } })
    const expected: Record<Sort, string> = {
      default: 'beacdgf',
      start: 'beacdgf',
      created: 'abcdefg',
      'created-desc': 'gfedcba',
      priority: 'fdgacbe',
      'priority-desc': 'beacdgf',
      // Sorted by the name of the status: ready comes before todo.
      status: 'abcdefg',
      assignee: 'cfadegb',
      // Sorted by code units on every engine: capitals come first, umlauts last.
      title: 'befacgd',
      updated: 'abdefgc',
      'updated-desc': 'cgfedba',
    }
    for (const sort of SORTS)
      expect([sort, letters(await desk.store.tasks('main', { sort }))]).toEqual([sort, expected[sort]])
    expect(letters(await desk.store.tasks('main'))).toBe(expected.default)
  })

  it('cards are found by label after edits and deletions', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a', { labels: ['bug', 'ui', 'bug'] })
    await desk.card('b', { labels: ['Bug'] })
    await desk.card('c')
    const withLabels = async (...labels: string[]) => letters(await desk.store.tasks('main', { labels }))
    expect([await withLabels('bug'), await withLabels('bug', 'ui'), await withLabels('x')]).toEqual(['ab', 'a', ''])
    await desk.ok('edit', { task: card('b'), set: { labels: ['ui', 'later'] } })
    await desk.ok('edit', { task: card('c'), set: { labels: ['bug'] } })
    expect([await withLabels('bug'), await withLabels('ui'), await withLabels('later')]).toEqual(['ac', 'ab', 'b'])
    expect((await desk.task(card('b'))).labels).toEqual(['ui', 'later'])
    await desk.ok('edit', { task: card('a'), set: { labels: [] } })
    await desk.ok('delete', { task: card('c') })
    expect([await withLabels('bug'), await withLabels('ui')]).toEqual(['', 'b'])
    await desk.ok('undelete', { task: card('c') })
    expect(await withLabels('bug')).toBe('c')
  })

  it('a list leaves out the long fields', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a', { body: 'x'.repeat(100_000), checks: ['npm test'] })
    const [listed] = await desk.store.tasks('main')
    expect(Object.keys(listed ?? {})).toEqual(expect.arrayContaining(['title', 'labels', 'parents']))
    for (const field of ['body', 'checks', 'result']) expect(listed).not.toHaveProperty(field)
    expect((await desk.task(card('a'))).checks).toEqual(['npm test'])
  })

  it('a list contains only the cards that match the filter', async () => {
    const desk = await createSevenCards(await open())
    const filters: readonly (readonly [string, TaskFilter, string])[] = [
      ['status', { status: 'todo' }, 'g'],
      ['assignee', { assignee: 'coder' }, 'adeg'],
      ['tenant', { tenant: 'acme' }, 'ac'],
      ['session', { session: 's1' }, 'a'],
      ['workflow', { workflow: 'w' }, 'bc'],
      ['workflow and step', { workflow: 'w', step: 'two' }, 'c'],
      ['parent', { parent: card('e') }, 'g'],
      ['several at once', { assignee: 'coder', tenant: 'acme' }, 'a'],
      ['a word, whatever its case', { text: 'APPLE' }, 'bf'],
      ['a word with letters beyond ASCII', { text: 'Über' }, 'd'],
      ['a title beyond ASCII', { text: 'äpfel' }, 'd'],
      ['a percent sign, which is no wildcard', { text: '100%' }, 'd'],
      ['an underscore, which is no wildcard', { text: 'of_it' }, 'd'],
      ['a wildcard that matches nothing', { text: 'b%a' }, ''],
      ['a backslash', { text: '\\' }, ''],
      ['a limit', { limit: 2 }, 'ab'],
    ]
    for (const [name, filter, expected] of filters)
      expect([name, letters(await desk.store.tasks('main', { sort: 'created', ...filter }))]).toEqual([name, expected])
  })

  it('a list without finished cards has the other cards in the same order, on every page', async () => {
    const desk = await createSevenCards(await open())
    for (const letter of ['b', 'd']) await desk.complete(card(letter))
    await desk.ok('archive', { task: card('f') })
    const at = (await desk.task(card('b'))).completedAt ?? 0
    const filters: readonly TaskFilter[] = [
      {},
      { archived: true },
      { assignee: 'coder' },
      { status: 'done' },
      { statuses: ['done', 'todo'] },
      { text: 'a' },
    ]
    for (const sort of SORTS)
      for (const filter of filters)
        for (const unfinishedAt of [at - 1, at, at + DAY]) {
          const all = await desk.store.tasks('main', { ...filter, sort })
          const kept = all.filter(({ status, completedAt }) => status !== 'done' || (completedAt ?? 0) > unfinishedAt)
          const asked = { ...filter, sort, unfinishedAt }
          expect(letters(await desk.store.tasks('main', asked))).toBe(letters(kept))
          expect(letters(await desk.store.tasks('main', { ...asked, limit: 2 }))).toBe(letters(kept.slice(0, 2)))
          const after = kept[0]?.id ?? card('g')
          const page = letters(await desk.store.tasks('main', { ...asked, after, limit: 3 }))
          expect(page).toBe(letters(kept.slice(1, 4)))
        }
  })

  it('pages of a list contain each card once, in every order', async () => {
    const desk = await createSevenCards(await open())
    for (const sort of SORTS) {
      const whole = letters(await desk.store.tasks('main', { sort }))
      let seen = ''
      for (let after: TaskId | undefined, pages = 0; pages < 5; pages += 1) {
        const page = await desk.store.tasks('main', { sort, limit: 3, ...(after === undefined ? {} : { after }) })
        seen += letters(page)
        after = page.at(-1)?.id
        if (page.length < 3) break
      }
      expect([sort, seen]).toEqual([sort, whole])
    }
  })

  it('a page can start after a card that is no longer in the list', async () => {
    const desk = await createSevenCards(await open())
    const filter = { status: 'ready', limit: 2 } as const
    const first = await desk.store.tasks('main', filter)
    expect(letters(first)).toBe('be')
    await desk.ok('block', { task: card('e'), runId: runOf('x'), reason: 'wait' })
    expect(letters(await desk.store.tasks('main', { ...filter, after: card('e') }))).toBe('ac')
    expect(letters(await desk.store.tasks('main', { ...filter, after: card('c') }))).toBe('df')
  })

  it('a long list shows the parents and children of each card', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    const cards = Array.from({ length: 520 }, (_, at) => ({
      id: card(`k${String(at).padStart(3, '0')}`),
      title: 'Child',
      parents: [card('p')],
    }))
    await desk.ok('create', { cards })
    const all = await desk.store.tasks('main', { sort: 'created' })
    expect(all).toHaveLength(521)
    const parent = all.find((task) => task.id === card('p'))
    expect(parent?.children).toEqual(cards.map((child) => child.id))
    expect(all.filter((task) => task.parents.length === 1)).toHaveLength(520)
  })

  it('counts include every status, even one without cards', async () => {
    const desk = await createSevenCards(await open())
    await desk.ok('block', { task: card('a'), runId: runOf('x'), reason: 'wait' })
    await desk.ok('archive', { task: card('b') })
    await desk.ok('delete', { task: card('c') })
    expect(await desk.store.counts('main')).toEqual({
      triage: 0,
      todo: 1,
      scheduled: 0,
      ready: 3,
      running: 0,
      review: 0,
      blocked: 1,
      done: 0,
      archived: 1,
    })
  })

  it('cards of another board are not listed', async () => {
    const desk = await createSevenCards(await open())
    const other = new Desk(desk.test, 'other')
    await other.ok('create_board', { slug: 'other' })
    await other.card('x')
    expect(letters(await other.store.tasks('other'))).toBe('x')
    expect(await other.store.task('other', card('a'))).toBeNull()
    expect((await other.store.counts('other')).ready).toBe(1)
  })
})

describeStores('an id prefix', (open) => {
  it('a prefix finds the first matching cards of all boards, up to a limit', async () => {
    const desk = await Desk.open(await open())
    const other = new Desk(desk.test, 'other')
    await other.ok('create_board', { slug: 'other' })
    const id = (tail: string) => `t_${tail}` as TaskId
    for (const tail of ['abc0000001', 'abc0000002', 'abd0000001', 'zzzzzzzzzz'])
      await desk.ok('create', { cards: [{ id: id(tail), title: tail }] })
    await other.ok('create', { cards: [{ id: id('abc0000003'), title: 'elsewhere' }] })
    const found = async (prefix: string) => (await desk.store.tasksByPrefix(prefix)).map((task) => task.id)
    expect(await desk.store.tasksByPrefix('t_abd')).toEqual([
      { id: id('abd0000001'), board: 'main', title: 'abd0000001' },
    ])
    expect(await found('t_abc')).toEqual([id('abc0000001'), id('abc0000002'), id('abc0000003')])
    expect(await found('t_abc0000003')).toEqual([id('abc0000003')])
    expect(await desk.store.tasksByPrefix('t_abc', { board: 'other' })).toMatchObject([{ id: id('abc0000003') }])
    expect(await found('t_zzzz')).toEqual([id('zzzzzzzzzz')])
    expect(await found('t_nope')).toEqual([])
    for (const at of [4, 5, 6, 7, 8, 9])
      await desk.ok('create', { cards: [{ id: id(`abc000000${at}`), title: 'more' }] })
    expect((await found('t_abc')).length).toBeLessThan(7)
  })
})
