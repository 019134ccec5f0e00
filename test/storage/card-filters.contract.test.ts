import { expect, it } from 'vitest'
import type { Status } from '../../src/core/vocabulary.ts'
import type { WaitKind } from '../../src/core/wait-kind.ts'
import type { ColumnFilter, GroupField } from '../../src/storage/store.ts'
import { HOUR, card, person, runOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

const SHOWN: readonly Status[] = ['triage', 'todo', 'scheduled', 'ready', 'running', 'review', 'blocked', 'done']

/** Returns the letters of the cards on the board that match, in any order, and the sum of the counts. */
async function found(desk: Desk, filter: ColumnFilter, most = 50): Promise<readonly [letters: string, count: number]> {
  const { columns } = await desk.store.columns({ boards: ['main'], statuses: SHOWN, most, recentMs: HOUR, filter })
  const letters = columns.flatMap(({ cards }) => cards.map(({ id }) => id.slice(-1))).sort()
  return [letters.join(''), columns.reduce((sum, { count }) => sum + count, 0)]
}

describeStores('the filters of columns', (open) => {
  it('cards are selected by what they wait for', async () => {
    const desk = await Desk.open(await open())
    for (const letter of 'abcdefgh') await desk.card(letter)
    await desk.card('i', { parents: [card('a')] })
    await desk.ok('block', { task: card('b'), runId: runOf('b'), kind: 'needs_input', reason: 'Which one?' })
    await desk.ok('block', { task: card('c'), runId: runOf('c'), kind: 'capability', reason: 'No network.' })
    await desk.ok('hold', { task: card('d') })
    await desk.ok('schedule', { task: card('e'), at: (await desk.store.now()) + HOUR })
    await desk.ok('request_review', { task: card('f'), runId: runOf('f') })
    await desk.ok('request_review', { task: card('g'), runId: runOf('g'), reviewer: 'critic' })
    await desk.test.raw(`update task set commands_approved = 0 where id = '${card('h')}'`)
    const waiting = async (waitsFor: WaitKind): Promise<string> => (await found(desk, { waitsFor }))[0]
    expect(await waiting('question')).toBe('b')
    expect(await waiting('review')).toBe('f')
    expect(await waiting('approval')).toBe('h')
    expect(await waiting('stopped')).toBe('')
    expect(await waiting('parents')).toBe('i')
    expect(await waiting('hold')).toBe('d')
    expect(await waiting('time')).toBe('e')
    expect(await waiting('person')).toBe('bcfh')
    expect(await found(desk, { waitsFor: 'person', assignee: 'coder' })).toEqual(['bcfh', 4])
    expect((await desk.store.tasks('main', { waitsFor: 'question' })).map(({ id }) => id)).toEqual([card('b')])
    // With a reviewer of the board, the review no longer waits for a person.
    await desk.ok('set_board', { settings: { reviewer: 'critic' } })
    expect(await waiting('review')).toBe('')
  })

  it('cards are selected by their creator and by the time of their last change and of their end', async () => {
    const desk = await Desk.open(await open())
    for (const letter of 'ab') await desk.card(letter)
    await desk.ok('create', { cards: [{ id: card('c'), title: 'Card c' }] }, { ...person, name: 'bob' })
    await desk.complete(card('b'))
    expect(await found(desk, { createdBy: 'bob' })).toEqual(['c', 1])
    const now = await desk.store.now()
    await desk.test.raw(`update task set updated_at = ${now - HOUR} where id = '${card('a')}'`)
    expect(await found(desk, { changedSince: now - HOUR + 1 })).toEqual(['bc', 2])
    expect(await found(desk, { changedSince: now - HOUR })).toEqual(['abc', 3])
    expect(await found(desk, { finishedSince: now - HOUR })).toEqual(['b', 1])
    expect((await desk.store.tasks('main', { finishedSince: now - HOUR })).map(({ id }) => id)).toEqual([card('b')])
  })

  it('a search counts all matches, although a page shows only some', async () => {
    const desk = await Desk.open(await open())
    for (const letter of 'abcde') await desk.card(letter, { title: `A needle ${letter}` })
    await desk.card('f', { title: 'ab' })
    expect(await found(desk, { text: 'needle' }, 2)).toEqual(['ab', 5])
    expect(await found(desk, { text: 'ab' }, 2)).toEqual(['f', 1])
    expect(await found(desk, { text: 'e' }, 2)).toEqual(['ab', 5])
    expect(await found(desk, { text: 'needle', waitsFor: 'person' }, 2)).toEqual(['', 0])
  })

  it('cards are counted by a field, and by each of their labels', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a', { labels: ['bug', 'ui'], tenant: 'acme' })
    await desk.card('b', { labels: ['bug'], assignee: null })
    await desk.card('c', { tenant: 'acme', title: 'A needle' })
    const groups = (by: GroupField, filter: ColumnFilter = {}) =>
      desk.store.cardGroups({ boards: ['main'], statuses: SHOWN, recentMs: HOUR, by, filter })
    expect(await groups('labels')).toEqual([
      { value: 'bug', count: 2 },
      { value: 'ui', count: 1 },
      { value: null, count: 1 },
    ])
    expect(await groups('assignee')).toEqual([
      { value: 'coder', count: 2 },
      { value: null, count: 1 },
    ])
    expect(await groups('tenant', { labels: ['bug'] })).toEqual([
      { value: 'acme', count: 1 },
      { value: null, count: 1 },
    ])
    expect(await groups('workflow', { text: 'needle' })).toEqual([{ value: null, count: 1 }])
    expect(await found(desk, { without: ['labels'] })).toEqual(['c', 1])
    expect(await found(desk, { without: ['tenant'] })).toEqual(['b', 1])
    expect(await groups('createdBy')).toEqual([{ value: 'ada', count: 3 }])
    expect(await groups('tenant', { text: 'nothing' })).toEqual([])
  })
})
