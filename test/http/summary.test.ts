import { expect, test } from 'vitest'
import { openHttp } from '../helpers/http.ts'

test('the summary counts cards and items that wait for a person, and names the caller', async () => {
  const { ask, tokenFor } = await openHttp()
  const question = (await ask('POST /api/tasks', { body: { title: 'Ask' } })).json<{ task: { id: string } }>().task.id
  await ask(`POST /api/tasks/${question}/block`, { body: { reason: 'Which port?', kind: 'needs_input' } })
  const done = (await ask('POST /api/tasks', { body: { title: 'Do' } })).json<{ task: { id: string } }>().task.id
  await ask(`POST /api/tasks/${done}/complete`, { body: { summary: 'Done' } })
  await ask('POST /api/pauses', { body: { kind: 'board', name: 'default' } })
  const reply = await ask('GET /api/summary?since=1', { token: await tokenFor('read') })
  expect(reply.json()).toMatchObject({
    running: 0,
    machine: { running: 0, isPaused: false },
    waiting: { count: 1, isExact: true, byKind: { question: 1 } },
    boards: [{ slug: 'default', counts: { blocked: 1, done: 1 }, finished: 1, isPaused: true }],
    dispatcher: { state: 'absent', problem: expect.stringContaining('muster up') },
    caller: { name: 'robot-read', scope: 'read', version: '1.2.3' },
  })
})
