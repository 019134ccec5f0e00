import { expect, test } from 'vitest'
import { BodyBudget } from '../../src/http/body-budget.ts'
import { openHttp } from '../helpers/http.ts'

const bytes = (length: number): Uint8Array => new Uint8Array(length)

/** Makes a body of which the client has sent only a part. The test decides when the body ends. */
function slowBody(length: number) {
  let end = (): void => {}
  const over = new Promise<void>((resolve) => (end = resolve))
  const body = async function* () {
    yield bytes(length)
    await over
  }
  return { body: body(), end: () => end() }
}

const anySize = (): void => {}

test('bodies over the limit of all requests are refused until an earlier one is complete', async () => {
  const budget = new BodyBudget(10)
  const slow = slowBody(8)
  const first = budget.read(slow.body, anySize)
  await expect(budget.read(slowBody(3).body, anySize)).rejects.toMatchObject({ code: 'capped' })
  const small = slowBody(2)
  small.end()
  expect(await budget.read(small.body, anySize)).toHaveLength(2)
  slow.end()
  expect(await first).toHaveLength(8)
  const large = slowBody(10)
  large.end()
  expect(await budget.read(large.body, anySize)).toHaveLength(10)
})

test('an interrupted or too large body no longer counts against the limit', async () => {
  const budget = new BodyBudget(10)
  const broken = async function* () {
    yield bytes(9)
    throw new Error('the client disconnected')
  }
  await expect(budget.read(broken(), anySize)).rejects.toThrow('disconnected')
  const refuse = (): void => {
    throw new Error('too large')
  }
  await expect(budget.read(slowBody(9).body, refuse)).rejects.toThrow('too large')
  const next = slowBody(10)
  next.end()
  expect(await budget.read(next.body, anySize)).toHaveLength(10)
})

test('a request without a credential can send only a few kilobytes', async () => {
  const { ask } = await openHttp()
  const signIn = await ask('POST /api/sign-in', { token: null, body: { code: 'x'.repeat(5_000) } })
  expect(signIn.json()).toMatchObject({ status: 413, code: 'too_large' })
  for (const path of ['/api/tasks', '/mcp'])
    expect((await ask(`POST ${path}`, { token: null, body: { body: 'x'.repeat(5_000) } })).status).toBe(401)
})
