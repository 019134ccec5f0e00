import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadOptions } from '../../../src/config/load.ts'
import type { Actor } from '../../../src/core/actor.ts'
import { BoardError } from '../../../src/core/errors.ts'
import { attachFile } from '../../../src/operations/attachments/attach-file.ts'
import { detachFile } from '../../../src/operations/attachments/detach-file.ts'
import type { Store } from '../../../src/storage/store.ts'
import { card, person, runOf, worker } from '../../helpers/sample.ts'
import { openTestStore, testFolder } from '../../helpers/stores.ts'
import { Desk } from '../../storage/desk.ts'

async function setUp() {
  const home = testFolder()
  const desk = await Desk.open(await openTestStore('sqlite'))
  await desk.card('a')
  const options = await loadOptions({ MUSTER_HOME: home })
  const context = (store: Store = desk.store, actor: Actor = person) => ({ store, board: 'main', actor, options })
  const folder = join(home, 'boards/main/attachments', card('a'))
  const source = join(home, 'source')
  writeFileSync(source, 'text')
  const files = (): string[] => (existsSync(folder) ? readdirSync(folder) : [])
  return { desk, context, files, source }
}

const input = { task: card('a'), name: 'plan.md', contentType: null }

/** Makes a store whose method `decide` is replaced. */
const deciding = (store: Store, decide: (real: Store['decide']) => Store['decide']): Store =>
  new Proxy(store, {
    get: (whole, key): unknown => {
      const member: unknown = Reflect.get(whole, key, whole)
      const bound = typeof member === 'function' ? (member.bind(whole) as unknown) : member
      return key === 'decide' ? decide(bound as Store['decide']) : bound
    },
  })

const lost = new BoardError('store_unreachable', 'The connection was lost.')

test('a copied file is deleted if the store refuses to record the attachment', async () => {
  const { desk, context, files, source } = await setUp()
  const stranger = worker(card('w'), runOf('w'))
  await expect(attachFile.run(context(desk.store, stranger), input, source)).rejects.toMatchObject({
    code: 'not_allowed',
  })
  expect(files()).toEqual([])
})

test('a copied file is deleted after a store error, unless the store recorded it', async () => {
  const { desk, context, files, source } = await setUp()
  const never = deciding(desk.store, () => () => Promise.reject(lost))
  await expect(attachFile.run(context(never), input, source)).rejects.toBe(lost)
  expect(files()).toEqual([])

  const unanswered = deciding(desk.store, (real) => async (command) => {
    await real(command)
    throw lost
  })
  await expect(attachFile.run(context(unanswered), input, source)).rejects.toBe(lost)
  expect(files()).toEqual(['plan.md'])
  expect(await desk.store.attachments('main', card('a'))).toMatchObject([{ filename: 'plan.md' }])
})

test('a file is detached by name or id, and an ambiguous name is refused', async () => {
  const { desk, context, files, source } = await setUp()
  const one = await attachFile.run(context(), input, source)
  const two = await attachFile.run(context(), { ...input, name: 'other.md' }, source)
  await desk.test.raw(`update attachment set filename = 'plan.md' where id = '${two.id}'`)
  const take = (file: string) => detachFile.run(context(), { task: card('a'), file })
  await expect(take('plan.md')).rejects.toMatchObject({ code: 'ambiguous_id', details: { ids: [one.id, two.id] } })
  expect(await take(two.id)).toMatchObject({ id: two.id })
  expect(files()).toEqual(['plan.md'])
  expect(await take('plan.md')).toMatchObject({ id: one.id })
  await expect(take('plan.md')).rejects.toMatchObject({ code: 'attachment_not_found' })
  expect(files()).toEqual([])
})
