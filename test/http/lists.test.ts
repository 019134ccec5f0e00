import { expect, test } from 'vitest'
import { openHttp } from '../helpers/http.ts'

test('the Link headers lead to every page of a list', async () => {
  const { ask, test: opened } = await openHttp()
  for (let at = 0; at < 5; at += 1) {
    await ask('POST /api/tasks', { body: { title: `Card ${at}` } })
    await opened.pass(1)
  }
  const titles: string[] = []
  let next: string | undefined = '/api/tasks?limit=2&sort=created'
  while (next !== undefined) {
    const page = await ask(`GET ${next}`)
    titles.push(...page.json<{ title: string }[]>().map(({ title }) => title))
    next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
  }
  expect(titles).toEqual([0, 1, 2, 3, 4].map((at) => `Card ${at}`))
  expect((await ask('GET /api/tasks?limit=501')).json()).toMatchObject({ code: 'invalid_input' })
})

test('a repeated request for an unchanged list is answered with 304', async () => {
  const { ask } = await openHttp()
  const etag = (await ask('GET /api/tasks')).headers.get('etag') ?? ''
  const same = await ask('GET /api/tasks', { headers: { 'if-none-match': etag } })
  expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag])
  await ask('POST /api/tasks', { body: { title: 'A card' } })
  expect((await ask('GET /api/tasks', { headers: { 'if-none-match': etag } })).status).toBe(200)
})

test('lists leave out the long texts of cards', async () => {
  const { ask } = await openHttp()
  const body = 'x'.repeat(1_000_000)
  expect((await ask('POST /api/tasks', { body: { title: 'A card', body } })).status).toBe(201)
  const [list, board] = [await ask('GET /api/tasks'), await ask('GET /api/board')]
  expect(list.json<unknown[]>()).toHaveLength(1)
  for (const { text } of [list, board]) expect(text.length).toBeLessThan(10_000)
})

test('the board comes with a cursor from before its columns were read', async () => {
  const { ask, test: opened } = await openHttp()
  await ask('POST /api/tasks', { body: { title: 'A card' } })
  const board = (await ask('GET /api/board')).json<{ cursor: string; columns: { status: string; count: number }[] }>()
  expect(board.columns.find(({ status }) => status === 'ready')).toMatchObject({ count: 1 })
  expect((await opened.store.feed(board.cursor)).events).toEqual([])
})

test('a request for an unknown board is refused and creates no board', async () => {
  const { ask, test: opened } = await openHttp()
  for (const request of ['GET /api/tasks?board=gardn', 'POST /api/tasks?board=gardn'])
    expect((await ask(request, request.startsWith('POST') ? { body: { title: 'x' } } : {})).json()).toMatchObject({
      status: 404,
      code: 'board_not_found',
    })
  expect((await opened.store.boards()).map(({ slug }) => slug)).toEqual(['default'])
})
