import { expect, test } from 'vitest'
import { openHttp } from '../helpers/http.ts'
import type { HttpTest } from '../helpers/http.ts'

interface Card {
  readonly id: string
  readonly title: string
  readonly reason: { readonly code: string } | null
  readonly question: string | null
  readonly progress: unknown
}

interface Columns {
  readonly board: string | null
  readonly columns: readonly {
    readonly status: string
    readonly count: number
    readonly isExact: boolean
    readonly cards: readonly Card[]
  }[]
}

async function create({ ask }: HttpTest, title: string, more: object = {}, board = 'default'): Promise<string> {
  const reply = await ask(`POST /api/tasks?board=${board}`, { body: { title, ...more } })
  return reply.json<{ task: { id: string } }>().task.id
}

const cardsOf = ({ columns }: Columns): readonly Card[] => columns.flatMap(({ cards }) => cards)

test('each card of the board has its reason, question and child progress', async () => {
  const http = await openHttp()
  const parent = await create(http, 'Ask', { assignee: 'coder' })
  await create(http, 'Wait', { parents: [parent] })
  const reason = `Which port? ${'x'.repeat(300)}`
  await http.ask(`POST /api/tasks/${parent}/block`, { body: { reason, kind: 'needs_input' } })
  const board = (await http.ask('GET /api/board')).json<Columns>()
  expect(board.board).toBe('default')
  expect(cardsOf(board)).toMatchObject([
    { title: 'Wait', reason: { code: 'parents_open' }, question: null, progress: null },
    { title: 'Ask', reason: { code: 'blocked' }, question: reason.slice(0, 200), progress: { done: 0, total: 1 } },
  ])
})

test('the board can be filtered, and counts only matching cards', async () => {
  const http = await openHttp()
  for (const [at, tenant] of ['acme', 'acme', null].entries()) {
    await create(http, `Card ${at}`, { tenant })
    await http.test.pass(1)
  }
  const filtered = (await http.ask('GET /api/board?tenant=acme&limit=1&statuses=ready,blocked')).json<Columns>()
  expect(filtered.columns).toMatchObject([
    { status: 'ready', count: 2, isExact: true, cards: [{ title: 'Card 0' }] },
    { status: 'blocked', count: 0, cards: [] },
  ])
  const found = (await http.ask('GET /api/board?text=card+2')).json<Columns>()
  expect(cardsOf(found).map(({ title }) => title)).toEqual(['Card 2'])
})

test('the pages of a column contain all of its cards', async () => {
  const http = await openHttp()
  for (let at = 0; at < 5; at += 1) {
    await create(http, `Card ${at}`)
    await http.test.pass(1)
  }
  const titles: string[] = []
  for (let next: string | null = ''; next !== null;) {
    const after: string = next === '' ? '' : `&after=${next}`
    const page = (await http.ask(`GET /api/board/columns/ready?limit=2${after}`)).json<{
      cards: Card[]
      next: string | null
    }>()
    titles.push(...page.cards.map(({ title }) => title))
    next = page.next
  }
  expect(titles).toEqual([0, 1, 2, 3, 4].map((at) => `Card ${at}`))
})

test('one view shows the cards of all boards that are not archived', async () => {
  const http = await openHttp()
  for (const slug of ['site', 'old']) await http.ask('POST /api/boards', { body: { slug } })
  await create(http, 'Here')
  await create(http, 'There', { priority: 2 }, 'site')
  await create(http, 'Gone', {}, 'old')
  await http.ask('POST /api/boards/old/archive', { body: {} })
  const board = (await http.ask('GET /api/board?all=true')).json<Columns>()
  expect(board.board).toBeNull()
  expect(cardsOf(board).map(({ title }) => title)).toEqual(['There', 'Here'])
  expect(board.columns.find(({ status }) => status === 'ready')?.count).toBe(2)
})
