import { mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openHttp } from '../helpers/http.ts'
import { chooseModel, useScriptedModel } from '../helpers/scripted-model.ts'

test('the planner is cancelled when the caller disconnects', async () => {
  const http = await openHttp()
  let asked = (): void => {}
  const isAsked = new Promise<void>((resolve) => (asked = resolve))
  const model = await useScriptedModel(() => {
    asked()
    return 'silent'
  })
  mkdirSync(http.parts.target.options.home, { recursive: true })
  chooseModel(http.parts.target.options.home, model)
  const made = await http.ask('POST /api/tasks', { body: { title: 'An idea', triage: true } })
  const { id } = made.json<{ task: { id: string } }>().task
  const caller = new AbortController()
  const token = await http.tokenFor('operate')
  const answer = http.fetch(`http://127.0.0.1:6878/api/tasks/${id}/specify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{}',
    signal: caller.signal,
  })
  await isAsked
  caller.abort()
  const { code, detail } = (await (await answer).json()) as { code: string; detail: string }
  expect([code, detail]).toEqual(['model_unavailable', 'The planner was cancelled. Ask it again.'])
  expect((await http.ask(`GET /api/tasks/${id}`)).json()).toMatchObject({ status: 'triage', title: 'An idea' })
})
