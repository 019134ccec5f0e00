import { expect, it } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { TaskId } from '../../src/core/ids.ts'
import type { Status } from '../../src/core/vocabulary.ts'
import type { BoardColumns, ColumnsQuery } from '../../src/storage/store.ts'
import { card, clockwork, runOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

const SHOWN: readonly Status[] = ['triage', 'todo', 'scheduled', 'ready', 'running', 'review', 'blocked', 'done']

const letters = (ids: readonly TaskId[]): string => ids.map((id) => id.slice(-1)).join('')

const read = (desk: Desk, asked: Partial<ColumnsQuery> = {}): Promise<BoardColumns> =>
  desk.store.columns({ boards: ['main'], statuses: SHOWN, most: 50, recentMs: 60_000, ...asked })

/** Returns the columns that have cards, as `status count letters`. */
const shown = ({ columns }: BoardColumns): readonly string[] =>
  columns
    .filter(({ count }) => count > 0)
    .map(({ status, count, cards }) => `${status} ${count} ${letters(cards.map(({ id }) => id))}`)

describeStores('the columns of a board', (open) => {
  it('each column has its exact count and its first cards in the order of their start', async () => {
    const desk = await Desk.open(await open())
    for (const letter of 'abcd') await desk.card(letter)
    await desk.card('e', { parents: [card('a')] })
    await desk.card('f', { priority: 3 })
    await desk.run(card('d'))
    await desk.complete(card('c'))
    const columns = await read(desk, { most: 2 })
    expect(shown(columns)).toEqual(['todo 1 e', 'ready 3 fa', 'running 1 d', 'done 1 c'])
    expect(columns.shared.openRuns).toMatchObject([{ taskId: card('d'), attempt: 1 }])
    expect(columns.facts.gatingParents).toMatchObject([{ child: card('e'), id: card('a'), status: 'ready' }])
    expect((await desk.store.feed(columns.cursor)).events).toEqual([])
  })

  it('the pages of a column have each card once', async () => {
    const desk = await Desk.open(await open())
    for (const letter of 'abcdefg') await desk.card(letter, { priority: letter < 'd' ? 1 : 0 })
    for (const sort of [undefined, 'title', 'priority'] as const) {
      const seen: TaskId[] = []
      for (let page = 0; page < 5; page += 1) {
        const after = seen.at(-1)
        const asked = { statuses: ['ready'] as const, most: 2, ...(after === undefined ? {} : { after }) }
        const { columns } = await read(desk, { ...asked, ...(sort === undefined ? {} : { sort }) })
        seen.push(...(columns[0]?.cards ?? []).map(({ id }) => id))
      }
      expect(letters(seen)).toBe(sort === 'priority' ? 'defgabc' : 'abcdefg')
    }
  })

  it('a filter selects the cards of every column and counts them', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a', { labels: ['bug'], tenant: 'acme' })
    await desk.card('b', { labels: ['bug'], priority: 2 })
    await desk.card('c', { assignee: null, title: 'A needle' })
    await desk.card('d', { labels: ['bug'], triage: true })
    await desk.complete(card('a'))
    expect(shown(await read(desk, { filter: { labels: ['bug'] } }))).toEqual(['triage 1 d', 'ready 1 b', 'done 1 a'])
    expect(shown(await read(desk, { filter: { tenant: 'acme' } }))).toEqual(['done 1 a'])
    expect(shown(await read(desk, { filter: { assignee: null } }))).toEqual(['ready 1 c'])
    expect(shown(await read(desk, { filter: { minPriority: 1 } }))).toEqual(['ready 1 b'])
    expect(shown(await read(desk, { filter: { text: 'needle' } }))).toEqual(['ready 1 c'])
    expect(shown(await read(desk, { filter: { text: 'Card', labels: ['bug'] } }))).toEqual([
      'triage 1 d',
      'ready 1 b',
      'done 1 a',
    ])
  })

  it('a column shows the cards of several boards in one order', async () => {
    const desk = await Desk.open(await open())
    const other = new Desk(desk.test, 'other')
    await other.ok('create_board', { slug: 'other' })
    await desk.card('a')
    await other.card('b', { priority: 1 })
    await desk.card('c')
    await other.card('d')
    const columns = await read(desk, { boards: ['main', 'other'], most: 3 })
    expect(shown(columns)).toEqual(['ready 4 bac'])
    const next = await read(desk, { boards: ['main', 'other'], statuses: ['ready'], after: card('a') })
    expect(letters((next.columns[0]?.cards ?? []).map(({ id }) => id))).toBe('cd')
  })

  it('a card has the facts of its last attempt, and checks and changes of earlier ones', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a', { checks: ['npm test', 'npm run lint'] })
    const first = await desk.run(card('a'))
    unwrap(await desk.verdict(first, { kind: 'complete' }))
    const found = { passed: false, output: 'lint failed', passedCommands: ['npm test'] }
    await desk.ok('checks', { task: card('a'), fence: first.fence, ...found }, clockwork)
    const changes = { files: 2, added: 7, removed: 1, commit: null, note: null }
    await desk.settle(first, { usage: { inputTokens: 5, outputTokens: 6, costUsd: 0.25 }, changes })
    await desk.ok('reopen', { task: card('a') }).catch(() => null)
    await desk.test.raw(`update task set status = 'ready', due_at = null, cooldown_until = null, breaker_open = 0`)
    const second = await desk.run(card('a'))
    const { work } = await read(desk)
    expect(work).toMatchObject([
      { id: second.runId, attempt: 2, outcome: null, usage: null, changes: { files: 2, added: 7, removed: 1 } },
    ])
    expect(work[0]?.checks).toMatchObject({ passed: ['npm test'], ran: 2 })
  })

  it('a card has the number of its children and how many are done', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    for (const letter of 'bcd') await desk.card(letter, { parents: [card('a')] })
    await desk.ok('promote', { task: card('b'), force: true })
    await desk.complete(card('b'))
    await desk.ok('delete', { task: card('d') })
    expect((await read(desk)).progress).toEqual([{ id: card('a'), done: 1, total: 2 }])
  })

  it('facts about reviews and scripts are read for the cards that need them', async () => {
    const desk = await Desk.open(await open(), { reviewer: 'critic' })
    await desk.card('a', { assignee: 'critic' })
    await desk.card('b', { assignee: 'shell', body: ' \n' })
    await desk.card('c', { assignee: 'shell', body: 'date' })
    await desk.card('d', { assignee: 'coder' })
    const claimed = await desk.run(card('a'), { agent: 'critic' })
    unwrap(await desk.verdict(claimed, { kind: 'request_review', summary: 'Look.' }))
    await desk.settle(claimed)
    const { facts } = await read(desk, { scripts: ['shell'] })
    expect(facts).toEqual({
      gatingParents: [],
      verifications: [],
      entries: [],
      ownReviews: [card('a')],
      withoutBody: [card('b')],
    })
  })

  it('the column of finished cards leaves out cards that finished earlier', async () => {
    const desk = await Desk.open(await open())
    for (const letter of 'abc') await desk.card(letter)
    await desk.complete(card('a'))
    await desk.test.pass(2)
    await desk.complete(card('b'))
    await desk.ok('complete', { task: card('c'), runId: runOf('cc') })
    const old = (await desk.store.now()) - 3_600_000
    await desk.test.raw(`update task set completed_at = ${old} where id = '${card('c')}'`)
    expect(shown(await read(desk))).toEqual(['done 2 ba'])
    expect(shown(await read(desk, { filter: { assignee: 'coder' } }))).toEqual(['done 2 ba'])
  })
})
