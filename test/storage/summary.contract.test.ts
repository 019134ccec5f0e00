import { expect, it } from 'vitest'
import { card, runOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

describeStores('the summary', (open) => {
  it('cards, items that wait for a person, and the cost of the day are counted on all boards', async () => {
    const desk = await Desk.open(await open())
    const other = new Desk(desk.test, 'other')
    await other.ok('create_board', { slug: 'other' })
    await desk.card('a', { triage: true })
    await desk.card('b')
    await desk.card('c')
    await other.card('d', { triage: true })
    await desk.ok('block', { task: card('b'), runId: runOf('bb'), reason: 'Which port?', kind: 'needs_input' })
    const before = await desk.store.now()
    await desk.test.pass(2)
    const claimed = await desk.run(card('c'))
    await desk.verdict(claimed, { kind: 'complete', summary: 'Done.' })
    await desk.settle(claimed, { usage: { inputTokens: 10, outputTokens: 4, costUsd: 0.5 } })
    await desk.ok('pause_account', { account: 'acme', cause: 'auth' })
    const boards = ['main', 'other'].map((slug) => ({ slug, reviewer: null }))
    const summary = await desk.store.summary({ boards, lanes: [], since: before, today: before })
    expect(summary.counts).toEqual([
      { board: 'main', status: 'blocked', count: 1 },
      { board: 'main', status: 'done', count: 1 },
      { board: 'main', status: 'triage', count: 1 },
      { board: 'other', status: 'triage', count: 1 },
    ])
    expect(summary.finished).toEqual(
      new Map([
        ['main', 1],
        ['other', 0],
      ]),
    )
    expect(summary.waiting).toMatchObject({ account: 1, question: 1, triage: 2, review: 0 })
    expect(summary.used).toEqual({ runs: 1, inputTokens: 10, outputTokens: 4, costUsd: 0.5 })
    const later = (await desk.store.now()) + 60_000
    expect((await desk.store.summary({ boards, lanes: [], since: null, today: later })).used.runs).toBe(0)
  })
})

describeStores('the totals', (open) => {
  it('finished cards and the cost of runs are added up in each period', async () => {
    const desk = await Desk.open(await open())
    const finish = async (letter: string, costUsd: number): Promise<void> => {
      await desk.card(letter)
      const claimed = await desk.run(card(letter))
      await desk.verdict(claimed, { kind: 'complete', summary: 'Done.' })
      await desk.settle(claimed, { usage: { inputTokens: 10, outputTokens: 4, costUsd } })
    }
    const first = await desk.store.now()
    await finish('a', 0.5)
    await finish('b', 0.25)
    await desk.test.pass(5)
    const second = await desk.store.now()
    await finish('c', 1)
    await desk.card('d')
    await desk.settle(await desk.run(card('d')), { ending: { how: 'exited', exitCode: 3 } })
    await desk.test.pass(5)
    const third = await desk.store.now()
    const { finished, used, endings } = await desk.store.totals(['main'], [first, second, third])
    expect(finished).toEqual([
      { board: 'main', period: 0, cards: 2 },
      { board: 'main', period: 1, cards: 1 },
    ])
    expect(used.map(({ board, day, runs, costUsd }) => ({ board, day, runs, costUsd }))).toEqual([
      { board: 'main', day: 0, runs: 2, costUsd: 0.75 },
      { board: 'main', day: 1, runs: 1, costUsd: 1 },
    ])
    expect(endings).toEqual([
      { period: 0, outcome: 'completed', runs: 2 },
      { period: 1, outcome: 'completed', runs: 1 },
      { period: 1, outcome: 'crashed', runs: 1 },
    ])
    expect(await desk.store.totals(['main'], [third])).toMatchObject({ finished: [], endings: [] })
    expect((await desk.store.totals(['other'], [first])).endings).toEqual([])
  })
})
