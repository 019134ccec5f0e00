/** Tests errors that only a store in a thread can have. The contract suites cover the rest of its behaviour. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, describe, it, onTestFinished } from 'vitest'
import { BoardError } from '../../../src/core/errors.ts'
import { openStore } from '../../../src/storage/open.ts'
import type { OpenOptions } from '../../../src/storage/open.ts'
import type { Store } from '../../../src/storage/store.ts'
import { bundleProgram } from '../../helpers/processes.ts'
import { card, person } from '../../helpers/sample.ts'
import { testFolder } from '../../helpers/stores.ts'

const program = bundleProgram('src/entries/keep-store.ts')

async function openIn(path: string, mode: OpenOptions['mode'], thread?: string): Promise<Store> {
  const store = await openStore({ engine: 'sqlite', path }, { mode, thread: thread ?? (await program) })
  onTestFinished(() => store.close())
  return store
}

const freshPath = (): string => join(testFolder(), 'muster.db')

async function faultOf(work: () => Promise<unknown>): Promise<BoardError> {
  const error = await work().then(
    () => null,
    (fault: unknown) => fault,
  )
  if (!(error instanceof BoardError)) throw new Error(`no BoardError: ${String(error)}`)
  return error
}

/** Returns all fields of an error and its causes, except the stacks, which differ. */
const fieldsOf = (error: unknown): unknown =>
  error instanceof Error
    ? {
        ...Object.fromEntries(Object.entries(error)),
        name: error.name,
        message: error.message,
        cause: fieldsOf(error.cause),
      }
    : error

describe('a store in a thread', () => {
  it.each<[string, OpenOptions['mode'], (path: string) => void]>([
    ['does not exist', 'write', () => {}],
    ['belongs to another program', 'read', (path) => writeFileSync(path, 'not a database, whatever it is'.repeat(99))],
    ['is empty', 'write', (path) => writeFileSync(path, '')],
  ])('a store file that %s gives the same error as without a thread', async (_, mode, prepare) => {
    const path = freshPath()
    prepare(path)
    const inline = await faultOf(() => openStore({ engine: 'sqlite', path }, { mode }))
    const apart = await faultOf(() => openIn(path, mode))
    expect(fieldsOf(apart)).toEqual(fieldsOf(inline))
    expect(apart.retryable).toBe(inline.retryable)
  })

  it('a decision does not wait for a query that reads the whole board', async () => {
    const store = await openIn(freshPath(), 'create')
    await store.decide({ verb: 'create_board', board: 'main', actor: person, input: { slug: 'main' } })
    const body = 'hay '.repeat(5_000)
    const create = (from: number, count: number) => {
      const cards = Array.from({ length: count }, (_, at) => ({ id: card(from + at), title: 'A', body }))
      return store.decide({ verb: 'create', board: 'main', actor: person, input: { cards } })
    }
    for (let from = 0; from < 3_000; from += 500) await create(from, 500)
    const order: string[] = []
    const search = store.tasks('main', { text: 'needle' }).then((found) => order.push(`found ${found.length}`))
    const decision = create(9_000, 1).then(({ ok }) => order.push(`created ${ok}`))
    await Promise.all([search, decision])
    expect(order).toEqual(['created true', 'found 0'])
    expect((await store.counts('main')).ready).toBe(3_001)
  })

  it('a refusal has the same code, message and details as without a thread', async () => {
    const path = freshPath()
    const apart = await openIn(path, 'create')
    const inline = await openStore({ engine: 'sqlite', path }, { mode: 'write' })
    onTestFinished(() => inline.close())
    const command = { verb: 'hold', board: 'nowhere', actor: person, input: { task: 't_0000000000' } } as never
    const [one, other] = [await apart.decide(command), await inline.decide(command)]
    expect(one).toMatchObject({ ok: false })
    expect(fieldsOf((one as { error: unknown }).error)).toEqual(fieldsOf((other as { error: unknown }).error))
    expect((one as { error: unknown }).error).toBeInstanceOf(BoardError)
  })

  it('an export is sent page by page and stops when its reader fails', async () => {
    const store = await openIn(freshPath(), 'create')
    for (const slug of ['one', 'two'])
      await store.decide({ verb: 'create_board', board: slug, actor: person, input: { slug } })
    const tables: Record<string, number> = {}
    await store.exportPages((table, rows) => (tables[table] = (tables[table] ?? 0) + rows.length))
    expect(tables).toMatchObject({ board: 2 })
    const full = new Error('the disk is full')
    const broken = store.exportPages(() => {
      throw full
    })
    await expect(broken).rejects.toBe(full)
    expect(await store.boards()).toHaveLength(2)
  })

  it('a closed store fails every request and can be closed twice', async () => {
    const store = await openIn(freshPath(), 'create')
    await Promise.all([store.boards(), store.close()])
    await store.close()
    expect(await faultOf(() => store.boards())).toMatchObject({
      code: 'internal',
      message: expect.stringContaining('was used after it was closed') as string,
    })
  })

  it('an idle store thread does not keep its process alive', async () => {
    const script = `
      import { openInThread } from ${JSON.stringify(await bundleProgram('src/storage/sqlite/threaded-store.ts'))}
      const store = await openInThread(${JSON.stringify(await program)}, { path: ${JSON.stringify(freshPath())}, mode: 'create' })
      await store.watch(() => {})
      process.stdout.write(String((await store.boards()).length))`
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 20_000,
    })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '0', stderr: '' })
  })
})

describe('a store thread that ends unexpectedly', () => {
  const ending = (folder: string, code: string): string => {
    const path = join(folder, 'thread.cjs')
    writeFileSync(path, code)
    return path
  }

  it('a store thread that ends before it opens the store gives one error', async () => {
    const folder = testFolder()
    const thread = ending(folder, `throw new Error('no memory left')`)
    const fault = await faultOf(() => openIn(join(folder, 'muster.db'), 'create', thread))
    expect(fault).toMatchObject({ code: 'internal', cause: { message: 'no memory left' } })
    expect(fault.message).toContain('stopped (no memory left). Nothing is lost. Run the command again.')
  })

  it('if the store thread ends, pending requests fail and watchers are called', async () => {
    const folder = testFolder()
    const thread = ending(
      folder,
      `const { parentPort } = require('node:worker_threads')
      parentPort.on('message', (questions) => {
        if (questions.some(({ ask }) => ask === 'boards')) process.exit(3)
        parentPort.postMessage(questions.map(({ id }) => ({ id, is: 'value' })))
      })
      parentPort.postMessage([{ id: 0, is: 'value', value: '3' }])`,
    )
    const store = await openIn(join(folder, 'muster.db'), 'create', thread)
    let wake = (): void => {}
    const woken = new Promise<void>((resolve) => (wake = resolve))
    await store.watch(wake)
    const asked = faultOf(() => store.boards())
    await woken
    expect(await asked).toMatchObject({ code: 'internal', retryable: false })
    expect(await faultOf(() => store.now())).toBe(await asked)
  })
})
