import { expect, test } from 'vitest'
import { openHttp } from '../helpers/http.ts'
import { card } from '../helpers/sample.ts'
import { Desk } from '../storage/desk.ts'

interface Page {
  readonly events: readonly { readonly id: number; readonly kind: string; readonly title: string | null }[]
  readonly next: number | null
}

test('the activity pages list all events, newest first, with card titles', async () => {
  const { ask } = await openHttp()
  const { task } = (await ask('POST /api/tasks', { body: { title: 'A card' } })).json<{ task: { id: string } }>()
  await ask(`POST /api/tasks/${task.id}/comments`, { body: { body: 'A comment' } })
  await ask(`POST /api/tasks/${task.id}/complete`, { body: { summary: 'x'.repeat(1_000) } })
  const seen: Page['events'][number][] = []
  for (let next: number | null = 0; next !== null;) {
    const before: string = next === 0 ? '' : `&before=${next}`
    const page = (await ask(`GET /api/activity?limit=2&board=default${before}`)).json<Page>()
    seen.push(...page.events)
    next = page.next
  }
  expect(seen.map(({ kind }) => kind)).toEqual(['completed', 'commented', 'created', 'token_created', 'board_created'])
  expect(seen[0]).toMatchObject({ title: 'A card', data: { summary: 'x'.repeat(300) } })
})

test('the activity shows only events that match its filter', async () => {
  const { ask, tokenFor } = await openHttp()
  const token = await tokenFor('operate')
  const { task } = (await ask('POST /api/tasks', { body: { title: 'A card' } })).json<{ task: { id: string } }>()
  await ask(`POST /api/tasks/${task.id}/comments`, { body: { body: 'A comment' }, token })
  await ask('POST /api/tasks', { body: { title: 'Another' } })
  const kindsOf = async (query: string): Promise<readonly string[]> =>
    (await ask(`GET /api/activity?${query}`)).json<Page>().events.map(({ kind }) => kind)
  expect(await kindsOf('groups=comments')).toEqual(['commented'])
  expect(await kindsOf('kinds=created&groups=comments')).toEqual(['created', 'commented', 'created'])
  expect(await kindsOf(`task=${task.id}`)).toEqual(['commented', 'created'])
  const [first] = (await ask('GET /api/activity?kinds=commented')).json<{ events: { actor: string }[] }>().events
  expect(await kindsOf('kinds=created&until=1')).toEqual([])
  expect(await kindsOf('kinds=created&from=1')).toHaveLength(2)
  expect(await kindsOf(`by=${encodeURIComponent(first?.actor ?? '')}`)).toEqual(['commented'])
})

test('the activity shows the cost and attempts of finished cards, and totals per period', async () => {
  const http = await openHttp()
  const desk = new Desk(http.test, 'default')
  await desk.lead()
  await desk.card('a')
  const claimed = await desk.run(card('a'))
  await desk.verdict(claimed, { kind: 'complete', summary: 'Done.' })
  await desk.settle(claimed, { usage: { inputTokens: 10, outputTokens: 4, costUsd: 0.5 } })
  await desk.card('b')
  await desk.settle(await desk.run(card('b')), { ending: { how: 'exited', exitCode: 3 } })
  const [event] = (await http.ask('GET /api/activity?kinds=completed')).json<{ events: unknown[] }>().events
  expect(event).toMatchObject({ result: { attempts: 1, costUsd: 0.5, work: { tokens: 14, outcome: 'completed' } } })
  const other = new Desk(http.test, 'other')
  await other.ok('create_board', { slug: 'other' })
  await other.card('c')
  const elsewhere = await other.run(card('c'))
  await other.verdict(elsewhere, { kind: 'complete', summary: 'Done.' })
  await other.settle(elsewhere)
  const day = (await desk.store.now()) - 3_600_000
  expect((await http.ask(`GET /api/totals?from=1,${day}`)).json()).toMatchObject({
    isExact: true,
    periods: [
      { from: 1, cards: 0, failed: 0, runs: 0 },
      { from: day, cards: 2, failed: 1, runs: 1, inputTokens: 10, outputTokens: 4, costUsd: 0.5 },
    ],
  })
  const ofOne = (await http.ask(`GET /api/totals?from=${day}&board=other`)).json<{ periods: unknown[] }>().periods
  expect(ofOne).toMatchObject([{ cards: 1, failed: 0, runs: 0 }])
})
