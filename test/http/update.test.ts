/** Tests that `PATCH /api/tasks/:id` makes either all changes of a card or none. */
import { expect, test } from 'vitest'
import { openHttp } from '../helpers/http.ts'
import type { HttpTest } from '../helpers/http.ts'

async function makeCard({ ask }: HttpTest, fields: object = {}): Promise<string> {
  const reply = await ask('POST /api/tasks', { body: { title: 'A card', ...fields } })
  return reply.json<{ task: { id: string } }>().task.id
}

test('one request changes the fields, the assignee and the status of a card', async () => {
  const http = await openHttp()
  const id = await makeCard(http, { triage: true })
  const body = { title: 'Changed', assignee: 'coder', status: 'ready', reason: 'Use port 8080' }
  const reply = await http.ask(`PATCH /api/tasks/${id}`, { body })
  expect([reply.status, reply.json()]).toEqual([200, expect.objectContaining({ title: 'Changed', assignee: 'coder' })])
  const card = (await http.ask(`GET /api/tasks/${id}`)).json<{ status: string; comments: { body: string }[] }>()
  expect([card.status, card.comments.map((comment) => comment.body)]).toEqual(['ready', ['Use port 8080']])
})

test.each([
  ['a field that is not valid', { priority: 'high' }, { code: 'invalid_input', details: { field: 'priority' } }],
  ['a status that cannot be reached', { status: 'running' }, { code: 'wrong_status', status: 409 }],
  ['a block without a reason', { status: 'blocked' }, { code: 'invalid_input', details: { field: 'reason' } }],
  ['a result of an unfinished card', { result: 'Early' }, { code: 'wrong_status' }],
  ['a reason without a status', { reason: 'Why' }, { code: 'invalid_input', details: { field: 'reason' } }],
  ['a time without the status scheduled', { scheduledAt: 1_900_000_000_000 }, { code: 'invalid_input' }],
  ['a time in the past', { status: 'scheduled', scheduledAt: 1 }, { details: { field: 'scheduledAt' } }],
  ['a skill that does not exist', { skills: ['missing'] }, { code: 'skill_not_found' }],
  ['a goal for an agent without further turns', { assignee: 'shell', goal: {} }, { details: { field: 'goal' } }],
  ['a field that does not exist', { colour: 'red' }, { code: 'invalid_input' }],
])('a request with %s changes nothing', async (_, fields, problem) => {
  const http = await openHttp()
  const id = await makeCard(http)
  const before = (await http.ask(`GET /api/tasks/${id}`)).text
  const reply = await http.ask(`PATCH /api/tasks/${id}`, { body: { title: 'Changed', assignee: 'coder', ...fields } })
  expect(reply.json()).toMatchObject(problem)
  expect((await http.ask(`GET /api/tasks/${id}`)).text).toBe(before)
})

test('a repeated request returns the same card and writes no event', async () => {
  const http = await openHttp()
  const id = await makeCard(http)
  const body = { title: 'Changed', status: 'done', summary: 'Counted', result: '42' }
  const replies = [
    await http.ask(`PATCH /api/tasks/${id}`, { body }),
    await http.ask(`PATCH /api/tasks/${id}`, { body: { title: 'Changed', status: 'done' } }),
  ]
  expect(replies.map((reply) => [reply.status, reply.json()['result']])).toEqual([
    [200, '42'],
    [200, '42'],
  ])
  const events = (await http.ask(`GET /api/tasks/${id}`)).json<{ events: { kind: string }[] }>().events
  expect(events.map(({ kind }) => kind)).toEqual(['created', 'edited', 'completed'])
})

test('a change with the ETag of an older card is refused', async () => {
  const http = await openHttp()
  const id = await makeCard(http)
  const etag = (await http.ask(`GET /api/tasks/${id}`)).headers.get('etag') ?? ''
  const change = (title: string, match: string) =>
    http.ask(`PATCH /api/tasks/${id}`, { body: { title }, headers: { 'if-match': match } })
  expect((await change('First', etag)).status).toBe(200)
  const late = await change('Second', etag)
  expect([late.status, late.json()]).toEqual([412, expect.objectContaining({ code: 'card_changed' })])
  expect((await change('Third', '*')).json()).toMatchObject({ title: 'Third' })
})

test('an empty change is refused', async () => {
  const http = await openHttp()
  const reply = await http.ask(`PATCH /api/tasks/${await makeCard(http)}`, { body: {} })
  expect(reply.json()).toMatchObject({ code: 'invalid_input', detail: 'Nothing to change.' })
})
