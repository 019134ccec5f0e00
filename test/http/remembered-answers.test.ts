/**
 * Tests that a remembered answer is never older than the last commit, the last change of an agent's file, or the last
 * revoked token.
 */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { Store } from '../../src/storage/store.ts'
import { openHttp } from '../helpers/http.ts'
import type { HttpTest } from '../helpers/http.ts'
import { commentOf, person } from '../helpers/sample.ts'

async function makeCard({ ask }: HttpTest, fields: object = {}): Promise<string> {
  const reply = await ask('POST /api/tasks', { body: { title: 'A card', ...fields } })
  return reply.json<{ task: { id: string } }>().task.id
}

/** Counts how many cards the server reads from the store. */
function countReads({ parts, test: { store } }: HttpTest): { readonly reads: () => number } {
  let reads = 0
  const task = store.task.bind(store)
  parts.target.store.task = (...given) => {
    reads += 1
    return task(...given)
  }
  return { reads: () => reads }
}

async function openOther({ test: { again } }: HttpTest): Promise<Store> {
  const other = await again()
  onTestFinished(() => other.close())
  return other
}

const commentFrom = async (store: Store, task: string, place: number): Promise<unknown> =>
  unwrap(
    await store.decide({
      verb: 'comment',
      board: 'default',
      actor: person,
      input: { task: task as never, id: commentOf(place), body: `Comment ${place}` },
    }),
  )

test('a card is read again only after a commit', async () => {
  const http = await openHttp()
  const id = await makeCard(http)
  const { reads } = countReads(http)
  const get = async () => (await http.ask(`GET /api/tasks/${id}`)).text
  // The server records the first use of a token in the background, which is a commit.
  await sleep(50)
  const texts = [await get(), await get(), await get()]
  expect([new Set(texts).size, reads()]).toEqual([1, 1])
  await http.ask(`POST /api/tasks/${id}/comments`, { body: { body: 'New' } })
  expect(JSON.parse(await get())).toMatchObject({ comments: [{ body: 'New' }] })
  expect(reads()).toBe(2)
})

test('each answer contains every commit of another process before its request', async () => {
  const http = await openHttp()
  const id = await makeCard(http)
  const other = await openOther(http)
  let written = 0
  const read = async (): Promise<void> => {
    while (written < 40) {
      const before = written
      const card = (await http.ask(`GET /api/tasks/${id}`)).json<{ comments: unknown[] }>()
      expect(card.comments.length).toBeGreaterThanOrEqual(before)
      await sleep(Math.random() * 3)
    }
  }
  const write = async (): Promise<void> => {
    while (written < 40) {
      await commentFrom(other, id, written)
      written += 1
      await sleep(Math.random() * 6)
    }
  }
  await Promise.all([write(), ...Array.from({ length: 6 }, read)])
})

test('a change of the agent file appears in the next answer', async () => {
  const http = await openHttp()
  const agents = join(http.parts.target.options.home, 'agents')
  const file = join(agents, 'coder.md')
  const define = (check: string): void =>
    writeFileSync(file, `---\nharness: claude\nchecks: ["${check}"]\n---\nWork.\n`)
  const checks = async () =>
    (await http.ask(`GET /api/tasks/${id}`)).json<{ agentChecks: readonly string[] }>().agentChecks
  define('npm test')
  const id = await makeCard(http, { assignee: 'coder' })
  await sleep(250)
  for (let again = 0; again < 3; again += 1) expect(await checks()).toEqual(['npm test'])
  define('npm run lint')
  expect(await checks()).toEqual(['npm run lint'])
  define('npm run lind')
  // An editor may keep the time of a file.
  utimesSync(file, 1, 1)
  expect(await checks()).toEqual(['npm run lind'])
  await sleep(250)
  for (let again = 0; again < 3; again += 1) expect(await checks()).toEqual(['npm run lind'])
  rmSync(file)
  expect(await checks()).toEqual([])
  mkdirSync(file)
  expect(await checks()).toEqual([])
})

test('a token that another process revoked is refused at once', async () => {
  const http = await openHttp()
  const token = await http.tokenFor('read')
  const id = await makeCard(http)
  const other = await openOther(http)
  const status = async () => (await http.ask(`GET /api/tasks/${id}`, { token })).status
  for (let again = 0; again < 3; again += 1) expect(await status()).toBe(200)
  const all = await other.tokens()
  const revoked = all.find(({ scope }) => scope === 'read')
  expect(revoked).toBeDefined()
  if (revoked === undefined) return
  unwrap(
    await other.decide({
      verb: 'revoke_token',
      board: 'default',
      actor: person,
      input: { id: revoked.id, name: revoked.name },
    }),
  )
  expect(await status()).toBe(401)
})

test('a remembered token expires in time', async () => {
  const http = await openHttp()
  const token = await http.tokenFor('read', (await http.test.store.now()) + 1_000)
  const id = await makeCard(http)
  const status = async () => (await http.ask(`GET /api/tasks/${id}`, { token })).status
  for (let again = 0; again < 3; again += 1) expect(await status()).toBe(200)
  await http.test.pass(1_000)
  expect(await status()).toBe(401)
})

test('a remembered answer has an ETag and the security headers', async () => {
  const http = await openHttp()
  const id = await makeCard(http)
  const first = await http.ask(`GET /api/tasks/${id}`)
  await sleep(20)
  for (let again = 0; again < 3; again += 1) {
    const reply = await http.ask(`GET /api/tasks/${id}`)
    expect(Object.fromEntries(reply.headers)).toEqual(Object.fromEntries(first.headers))
    const etag = reply.headers.get('etag') ?? ''
    const same = await http.ask(`GET /api/tasks/${id}`, { headers: { 'if-none-match': etag } })
    expect([same.status, same.text, same.headers.get('x-frame-options')]).toEqual([304, '', 'DENY'])
  }
})
