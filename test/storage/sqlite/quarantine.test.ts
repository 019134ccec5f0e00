/**
 * Tests that a damaged store is kept, one copy per content, and that no process writes to it until the damage is gone.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect } from '../../../src/storage/sqlite/connection.ts'
import { quarantine } from '../../../src/storage/sqlite/quarantine.ts'
import type { Store } from '../../../src/storage/store.ts'
import { person } from '../../helpers/sample.ts'
import { testFolder } from '../../helpers/stores.ts'
import {
  PAGE,
  abandonedStore,
  addCard,
  fault,
  filesIn,
  madeStore,
  openFile,
  poke,
  sha256,
  withoutSidecars,
} from './files.ts'

const GARBAGE = Buffer.from('not a database at all')

const copiesOf = (path: string): string[] => filesIn(dirname(path)).filter((name) => name.endsWith('.bak'))

interface Marker {
  readonly sha256: string
  readonly backup: string
  readonly reason: string
}

const markerOf = (path: string): Marker => JSON.parse(readFileSync(`${path}.corrupt.json`, 'utf8')) as Marker

/**
 * Makes a store in which only the pages of the cards are damaged, so that it opens, and only access to cards finds the
 * damage.
 */
async function damagedWithin(): Promise<string> {
  const path = await madeStore({ cards: 200 })
  const connection = connect(path, 'ro')
  const pages = connection.query({
    strings: [`select pageno from dbstat where name = 'task' and pagetype = 'leaf' order by pageno`],
    values: [],
  })
  await connection.close()
  for (const { pageno } of pages) poke(path, (Number(pageno) - 1) * PAGE, Buffer.alloc(PAGE, 0x5a))
  return path
}

/** Makes a store with an index whose entries do not match the rows. A quick check does not find this damage. */
async function damagedIndex(): Promise<string> {
  const path = await madeStore({ cards: 3 })
  const database = new DatabaseSync(path, { defensive: false })
  database.exec(`pragma writable_schema = on;
    update sqlite_schema set sql = replace(sql, 'deleted_at is not null', 'deleted_at is null') where name = 'task_trash'`)
  database.close()
  return path
}

const pause = (store: Store) =>
  store.decide({ verb: 'pause', board: 'main', actor: person, input: { kind: 'agent', name: 'coder' } })

const deleteCard = (store: Store) =>
  store.decide({ verb: 'delete', board: 'main', actor: person, input: { task: 't_0000000001' as never } })

describe('a damaged file', () => {
  it('a damaged file is copied once, even if it is opened often', async () => {
    const path = await madeStore()
    poke(path, 0, GARBAGE)
    const bytes = sha256(path)
    for (let at = 0; at < 10; at += 1) expect((await fault(path, 'write')).code).toBe('store_corrupt')
    expect(filesIn(dirname(path))).toEqual([
      'muster.db',
      `muster.db.corrupt.${bytes?.slice(0, 16)}.bak`,
      'muster.db.corrupt.json',
    ])
    expect(sha256(join(dirname(path), copiesOf(path)[0] ?? ''))).toBe(bytes)
    expect(sha256(path)).toBe(bytes)
  })

  it('a damaged file is copied again when its bytes change', async () => {
    const path = await madeStore()
    poke(path, 0, GARBAGE)
    await fault(path, 'write')
    poke(path, 5 * PAGE, GARBAGE)
    for (let at = 0; at < 3; at += 1) await fault(path, 'create')
    expect(copiesOf(path)).toHaveLength(2)
  })

  it('the error and the marker name the copy and the reason', async () => {
    const path = await madeStore()
    poke(path, 0, GARBAGE)
    const error = await fault(path, 'write')
    const backup = join(dirname(path), copiesOf(path)[0] ?? '')
    expect(error.details).toMatchObject({ path, backup, reason: expect.stringMatching(/not a database/) })
    expect(error.message).toContain(backup)
    expect(markerOf(path)).toMatchObject({ sha256: sha256(path), backup, reason: error.details.reason })
  })

  it('a damaged file is copied with its WAL, without a checkpoint', async () => {
    const path = await abandonedStore()
    poke(path, 0, GARBAGE)
    const before = [sha256(path), sha256(`${path}-wal`)]
    for (let at = 0; at < 3; at += 1) await fault(path, 'write')
    expect([sha256(path), sha256(`${path}-wal`)]).toEqual(before)
    const copies = copiesOf(path)
    expect(copies).toHaveLength(1)
    const copy = join(dirname(path), copies[0] ?? '')
    expect([sha256(copy), sha256(`${copy}-wal`)]).toEqual(before)
    expect(existsSync(`${copy}-shm`)).toBe(true)
  })

  it('the five newest copies of a damaged file are kept', async () => {
    const path = await madeStore({ cards: 0 })
    const made: string[] = []
    for (let at = 0; at < 8; at += 1) {
      poke(path, 0, Buffer.from(`version ${at} of the garbage`))
      await fault(path, 'write')
      made.push(`muster.db.corrupt.${sha256(path)?.slice(0, 16)}.bak`)
    }
    expect(copiesOf(path)).toEqual(made.slice(-5).sort())
  })

  it('copies of another store in the folder are not removed', async () => {
    const folder = testFolder()
    const names = ['muster.db', 'musterxdb']
    for (const name of names) {
      const path = await madeStore({ folder, name, cards: 0 })
      for (let at = 0; at < 6; at += 1) {
        poke(path, 0, Buffer.from(`version ${at} of the garbage`))
        await fault(path, 'write')
      }
    }
    for (const name of names)
      expect(
        filesIn(folder).filter((file) => file.startsWith(`${name}.corrupt.`) && file.endsWith('.bak')),
      ).toHaveLength(5)
  })

  it.each(['a b.db', 'per%cent.db', "quo'te.db", '$(touch x).db', '..db', 'new\nline.db', '[x](y)+.db'])(
    'a damaged file called %j is copied in its own folder',
    async (name) => {
      const outer = testFolder()
      const folder = join(outer, 'home')
      mkdirSync(folder)
      const path = await madeStore({ folder, name, cards: 0 })
      poke(path, 0, GARBAGE)
      for (let at = 0; at < 2; at += 1) await fault(path, 'write')
      const copy = `${name}.corrupt.${sha256(path)?.slice(0, 16)}.bak`
      expect(filesIn(folder)).toEqual([name, copy, `${name}.corrupt.json`].sort())
      expect(readdirSync(outer)).toEqual(['home'])
    },
  )

  it('the copy and the marker of a damaged file behind a symbolic link are next to its target', async () => {
    const path = await abandonedStore()
    poke(path, 0, GARBAGE)
    const elsewhere = testFolder()
    symlinkSync(path, join(elsewhere, 'link.db'))
    symlinkSync(dirname(path), join(elsewhere, 'folder'))
    for (const name of [join(elsewhere, 'link.db'), join(elsewhere, 'folder', 'muster.db'), path])
      expect((await fault(name, 'write')).code).toBe('store_corrupt')
    expect(readdirSync(elsewhere).sort()).toEqual(['folder', 'link.db'])
    expect(copiesOf(path)).toHaveLength(1)
    expect(filesIn(dirname(path)).filter((name) => name.includes('.bak'))).toHaveLength(3)
  })

  it('a reader reports damage, but makes no copy and no marker', async () => {
    const path = await damagedWithin()
    const before = sha256(path)
    const store = await openFile(path, 'read')
    await expect(store.exportAll()).rejects.toMatchObject({
      code: 'store_corrupt',
      message: expect.stringContaining('Restore a backup'),
    })
    const findings = await store.doctor()
    expect(findings.map((finding) => finding.rule)).toContain('integrity')
    await store.close()
    expect(sha256(path)).toBe(before)
    expect(filesIn(dirname(path)).filter((name) => name.includes('corrupt'))).toEqual([])
  })
})

describe('damage found while working', () => {
  it('if a write finds damage, a copy is kept and later writes are refused', async () => {
    const path = await damagedWithin()
    const bytes = sha256(path)
    const store = await openFile(path, 'write')
    const other = await openFile(path, 'write')
    onTestFinished(async () => {
      await store.close()
      await other.close()
    })
    // This commit changes no damaged page, so the commit is in the WAL when the damage is found.
    expect(await pause(store)).toMatchObject({ ok: true })
    await expect(addCard(store, 'x', 'y'.repeat(5000))).rejects.toMatchObject({ code: 'store_corrupt' })
    expect(copiesOf(path)).toHaveLength(1)
    // Every process refuses writes, even a process that opened the store earlier and would find no damage.
    for (const each of [store, other])
      await expect(pause(each)).rejects.toMatchObject({
        code: 'store_corrupt',
        message: expect.stringContaining('.bak'),
      })
    await store.close()
    await other.close()
    expect(sha256(path)).toBe(bytes)
    for (let at = 0; at < 3; at += 1) expect((await fault(path, 'write')).code).toBe('store_corrupt')
    expect(copiesOf(path)).toHaveLength(1)
  })

  it('a store with a damaged index stays marked if other bytes of the file change', async () => {
    const path = await damagedIndex()
    const store = await openFile(path, 'write')
    await expect(deleteCard(store)).rejects.toMatchObject({ code: 'store_corrupt' })
    await store.close()
    expect((await fault(path, 'write')).code).toBe('store_corrupt')
    const connection = connect(path, 'rw')
    connection.exec('pragma user_version = 7')
    await connection.close()
    expect((await fault(path, 'write')).code).toBe('store_corrupt')
    expect(copiesOf(path).length).toBeGreaterThan(1)
  })
})

describe('an undamaged file', () => {
  it('a store that was marked by mistake is checked again and can be written', async () => {
    const path = await madeStore({ cards: 1 })
    const mistake = { sha256: sha256(path), backup: `${path}.bak`, reason: 'database disk image is malformed' }
    writeFileSync(`${path}.corrupt.json`, JSON.stringify(mistake))
    const store = await openFile(path, 'write')
    await addCard(store, 'new')
    await store.close()
    expect(existsSync(`${path}.corrupt.json`)).toBe(false)
  })

  it('a store is not marked if a second process finds no damage', async () => {
    const path = await madeStore({ cards: 1 })
    const error = quarantine(path, new Error('database disk image is malformed'))
    expect(error).toMatchObject({ code: 'store_io', message: expect.stringContaining('the file is sound') })
    expect(withoutSidecars(filesIn(dirname(path)))).toEqual(['muster.db'])
  })

  it('a process that has another file open does not mark the store', async () => {
    const path = await madeStore({ cards: 1 })
    poke(path, 0, GARBAGE)
    const error = quarantine(path, new Error('database disk image is malformed'), '1:2')
    expect(error).toMatchObject({ code: 'store_io', message: expect.stringContaining('was replaced') })
    expect(filesIn(dirname(path))).toEqual(['muster.db'])
  })
})

describe('the damage marker', () => {
  it('the marker is removed once the file is undamaged again', async () => {
    const path = await madeStore({ cards: 3 })
    const good = join(testFolder(), 'good.db')
    copyFileSync(path, good)
    poke(path, 0, GARBAGE)
    await fault(path, 'write')
    expect(existsSync(`${path}.corrupt.json`)).toBe(true)
    copyFileSync(good, path)
    const store = await openFile(path, 'write')
    await addCard(store, 'new')
    await store.close()
    expect(existsSync(`${path}.corrupt.json`)).toBe(false)
    expect(copiesOf(path)).toHaveLength(1)
  })

  it('an unreadable marker makes Muster check the file again', async () => {
    const path = await madeStore({ cards: 1 })
    const marker = `${path}.corrupt.json`
    copyFileSync(path, marker)
    await (await openFile(path, 'write')).close()
    expect(existsSync(marker)).toBe(false)
  })

  it('a new store can be created after the damaged file is moved away', async () => {
    const path = await madeStore({ cards: 1 })
    poke(path, 0, GARBAGE)
    await fault(path, 'write')
    renameSync(path, `${path}.away`)
    const store = await openFile(path, 'create')
    expect(await store.boards()).toEqual([])
    await store.close()
    expect(existsSync(`${path}.corrupt.json`)).toBe(false)
  })
})
