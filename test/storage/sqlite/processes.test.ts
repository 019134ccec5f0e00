/** Tests an embedded store that several real processes and other users use, under real limits. */
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ScriptAnswer, ScriptStep } from '../../fixtures/store-script.ts'
import { testFolder } from '../../helpers/stores.ts'
import { addCard, filesIn, inChild, madeStore, openFile, sha256 } from './files.ts'

const values = (answers: readonly ScriptAnswer[]): unknown[] =>
  answers.map((answer) => ('value' in answer ? answer.value : answer))
const codes = (answers: readonly ScriptAnswer[]): unknown[] =>
  answers.map((answer) => ('value' in answer ? 'done' : answer.code))

describe('a long-lived connection', () => {
  it('a connection that stays open loses no data when another process writes', async () => {
    const path = await madeStore({ cards: 1 })
    const held = await openFile(path, 'write')
    await addCard(held, 'before')
    const write: ScriptStep[] = [['open', path, 'write'], ['card', 0], ['close']]
    expect(codes(await inChild(write))).toEqual(['done', 'done', 'done'])
    await addCard(held, 'after')
    const [, titles] = values(await inChild([['open', path, 'read'], ['titles']]))
    expect(titles).toEqual(['Card 0', 'Card before', 'From a child', 'Card after'])
    expect(await held.doctor()).toEqual([])
    await held.close()
  })
})

describe('processes that create the same store at the same time', () => {
  it('several processes that create a store at the same time get one undamaged store', async () => {
    const folder = testFolder()
    const path = join(folder, 'home', 'muster.db')
    const steps: ScriptStep[] = [['await', join(folder, 'go')], ['open', path, 'create'], ['card', 0], ['close']]
    const children = Array.from({ length: 4 }, () => inChild(steps))
    writeFileSync(join(folder, 'go'), '')
    for (const answers of await Promise.all(children)) expect(codes(answers)).toEqual(['done', 'done', 'done', 'done'])
    expect(filesIn(join(folder, 'home'))).toEqual(['muster.db'])
    const store = await openFile(path, 'read')
    expect(await store.tasks('main')).toHaveLength(4)
    expect(await store.doctor()).toEqual([])
    await store.close()
  })
})

describe('a limit on the size of files', () => {
  it('a write over the file size limit is rolled back with store_io', async () => {
    const path = await madeStore()
    const cards = Array.from({ length: 30 }, (): ScriptStep => ['card', 100_000])
    const answers = await inChild([['open', path, 'write'], ...cards, ['titles']], { fileBlocks: 2048 })
    const made = codes(answers.slice(1, -1)).filter((code) => code === 'done').length
    const refused = answers.slice(1, -1).find((answer) => 'code' in answer)
    expect(refused).toMatchObject({ code: 'store_io', message: expect.stringMatching(/check its space, limits/) })
    expect(made).toBeGreaterThan(0)
    expect(values(answers).at(-1)).toHaveLength(40 + made)

    const store = await openFile(path, 'write')
    expect(await store.doctor()).toEqual([])
    expect(await store.tasks('main')).toHaveLength(40 + made)
    await addCard(store, 'later', 'z'.repeat(500_000))
    await store.close()
  })
})

describe('a user without permissions', () => {
  const isRoot = process.getuid?.() === 0
  const NOBODY = 65_534
  /**
   * The step with which a child gives up its permissions. Root has all permissions, so a child of root switches to
   * another user. Other users remove their own permissions.
   */
  const become: ScriptStep[] = isRoot ? [['become', NOBODY, NOBODY]] : []
  const asNobody = async (...steps: readonly ScriptStep[]) =>
    (await inChild([...become, ...steps])).slice(become.length)

  /** Makes a store with the given modes. Its folder is inside a folder that every user may enter. */
  async function guarded(folderMode: number, fileMode: number): Promise<string> {
    const outer = testFolder()
    chmodSync(outer, 0o755)
    const folder = join(outer, 'home')
    mkdirSync(folder)
    const path = await madeStore({ folder, cards: 1 })
    chmodSync(path, fileMode)
    chmodSync(folder, folderMode)
    return path
  }

  const refusals = async (path: string, ...steps: readonly ScriptStep[]): Promise<readonly ScriptAnswer[]> => {
    const before = sha256(path)
    const answers = await asNobody(...steps)
    expect(sha256(path)).toBe(before)
    expect(existsSync(`${path}.corrupt.json`)).toBe(false)
    return answers
  }

  it('opening a file without read permission gives store_unreadable', async () => {
    const path = await guarded(0o755, 0o600)
    if (!isRoot) chmodSync(path, 0)
    for (const answer of await refusals(
      path,
      ['open', path, 'read'],
      ['open', path, 'write'],
      ['open', path, 'create'],
    ))
      expect(answer).toMatchObject({ code: 'store_unreadable', message: expect.stringMatching(/exist and are yours/) })
    chmodSync(path, 0o600)
  })

  it('a folder that the user may not enter gives store_unreadable, not store_missing', async () => {
    const path = await guarded(isRoot ? 0o700 : 0, 0o644)
    const answers = await asNobody(['open', path, 'read'], ['open', path, 'write'], ['open', path, 'create'])
    expect(codes(answers)).toEqual(['store_unreadable', 'store_unreadable', 'store_unreadable'])
    chmodSync(join(path, '..'), 0o700)
  })

  it('a folder without write permission gives store_read_only', async () => {
    const path = await guarded(0o555, 0o644)
    const other = join(path, '..', 'other.db')
    const answers = await refusals(path, ['open', path, 'write'], ['open', other, 'create'])
    expect(codes(answers)).toEqual(['store_read_only', 'store_read_only'])
    expect(answers[0]).toMatchObject({
      message: expect.stringMatching(/check the permissions of the file and its folder/),
    })
    expect(answers[1]).toMatchObject({ message: expect.stringMatching(/give yourself write permission/) })
    expect(existsSync(other)).toBe(false)
    chmodSync(join(path, '..'), 0o755)
  })

  it('a read-only file can be read, and every write is refused', async () => {
    const path = await guarded(0o777, 0o444)
    if (isRoot) chownSync(path, 0, 0)
    const answers = await refusals(path, ['open', path, 'write'], ['titles'], ['card', 0], ['titles'])
    expect(codes(answers)).toEqual(['done', 'done', 'store_read_only', 'done'])
    expect(answers[2]).toMatchObject({ message: expect.stringMatching(/check the permissions/) })
  })
})
