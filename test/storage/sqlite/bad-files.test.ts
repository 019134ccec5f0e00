/**
 * Tests that files that cannot be opened give a typed error with a remedy, and that no file of the user is replaced.
 */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CODE_VERSION } from '../../../src/storage/migrate.ts'
import { openSqlite } from '../../../src/storage/sqlite/open.ts'
import type { OpenOptions } from '../../../src/storage/open.ts'
import { connect } from '../../../src/storage/sqlite/connection.ts'
import { testFolder } from '../../helpers/stores.ts'
import {
  PAGE,
  abandonedStore,
  addCard,
  descriptorsInto,
  fault,
  filesIn,
  madeStore,
  openFile,
  poke,
  sha256,
  withoutSidecars,
} from './files.ts'

const MODES: readonly OpenOptions['mode'][] = ['read', 'write', 'create']

const fileWith = (bytes: string | Uint8Array): string => {
  const path = join(testFolder(), 'muster.db')
  writeFileSync(path, bytes)
  return path
}

/** Opens the file of a store that Muster has closed and runs SQL on it, as another program would. */
async function runSql(path: string, text: string): Promise<void> {
  const connection = connect(path, 'rw')
  connection.exec(text)
  await connection.close()
}

describe('a missing store file', () => {
  it('a missing store is created only in mode create', async () => {
    const path = join(testFolder(), 'home', 'muster.db')
    for (const mode of ['read', 'write'] as const)
      expect(await fault(path, mode)).toMatchObject({
        code: 'store_missing',
        message: expect.stringContaining('muster init'),
      })
    expect(existsSync(dirname(path))).toBe(false)
    await (await openFile(path, 'create')).close()
    expect(filesIn(dirname(path))).toEqual(['muster.db'])
  })

  it('a folder that cannot be created is named in the error', async () => {
    const file = fileWith('a file, not a folder')
    expect((await fault(join(file, 'muster.db'), 'create')).message).toContain(file)
    expect(readFileSync(file, 'utf8')).toBe('a file, not a folder')
  })
})

describe.each(MODES)('a store opened to %s', (mode) => {
  it.each([
    ['empty', async () => fileWith('')],
    [
      'another program’s database',
      async () => {
        const path = join(testFolder(), 'muster.db')
        // The database was created without Muster's settings. Its journal is not a WAL and must not become a WAL.
        const made = connect(path, 'rwc')
        made.exec('pragma journal_mode = delete; create table bookmarks (url text); insert into bookmarks values (1)')
        await made.close()
        return path
      },
    ],
  ])('a file that is %s is refused and not changed', async (_name, make) => {
    const path = await make()
    const before = sha256(path)
    const error = await fault(path, mode)
    expect(error).toMatchObject({ name: 'BoardError', code: 'store_not_ours' })
    expect(error.message).toMatch(/Restore a backup, or move the file to another folder and run muster init/)
    expect(sha256(path)).toBe(before)
    expect(filesIn(dirname(path))).toEqual(['muster.db'])
  })

  it.each([
    ['random text', async () => fileWith('neither fish nor fowl '.repeat(1000))],
    ['only a few bytes', async () => fileWith('short')],
    [
      'an overwritten header',
      async () => {
        const path = await madeStore()
        poke(path, 0, Buffer.from([0x17, 0x03, 0x03, 0x00, 0x20, 0xde, 0xad, 0xbe, 0xef]))
        return path
      },
    ],
    [
      'an overwritten first page',
      async () => {
        const path = await madeStore()
        poke(path, 100, Buffer.alloc(PAGE - 100, 0xa5))
        return path
      },
    ],
    [
      'a truncated first page',
      async () => {
        const path = await madeStore()
        truncateSync(path, 1000)
        return path
      },
    ],
  ])('a file with %s is reported as damaged and not changed', async (_name, make) => {
    const path = await make()
    const before = sha256(path)
    const error = await fault(path, mode)
    expect(error).toMatchObject({ name: 'BoardError', code: 'store_corrupt' })
    expect(error.message).toMatch(
      /Restore a backup .*, or move the file and its -wal and -shm files to another folder and run muster init/,
    )
    expect(sha256(path)).toBe(before)
    const copies = filesIn(dirname(path)).filter((name) => name.endsWith('.bak'))
    expect(copies).toHaveLength(mode === 'read' ? 0 : 1)
  })

  it('a store that needs newer code is refused', async () => {
    const path = await madeStore({ cards: 1 })
    await runSql(path, `update meta set value = '${CODE_VERSION + 1}' where key = 'min_code'`)
    const before = sha256(path)
    expect(await fault(path, mode)).toMatchObject({
      code: 'store_too_new',
      message: expect.stringContaining('upgrade Muster here'),
      details: { minCode: CODE_VERSION + 1, code: CODE_VERSION },
    })
    expect(sha256(path)).toBe(before)
  })

  it('a store with a newer but compatible schema is opened', async () => {
    const path = await madeStore({ cards: 1 })
    await runSql(path, `insert into migration (version, name, applied_at) values (${CODE_VERSION + 1}, 'later', 0)`)
    const store = await openFile(path, mode)
    expect(await store.tasks('main')).toHaveLength(1)
    await store.close()
  })
})

describe('a store of an older version', () => {
  it('a store of an older version is not read before its upgrade', async () => {
    const path = await madeStore({ cards: 1 })
    await runSql(path, 'delete from migration')
    expect(await fault(path, 'read')).toMatchObject({
      code: 'store_too_old',
      message: expect.stringContaining('muster doctor --fix'),
    })
  })
})

describe('a store truncated after its first pages', () => {
  it('a read of missing pages reports the damage and keeps a copy of the file', async () => {
    const path = await madeStore()
    truncateSync(path, 20 * PAGE)
    const before = sha256(path)
    const error = await fault(path, 'write').catch(async () => {
      const store = await openFile(path, 'write')
      onTestFinished(() => store.close())
      return store.exportAll().then(
        () => new Error('it was read'),
        (thrown: Error) => thrown,
      )
    })
    expect(error).toMatchObject({ code: 'store_corrupt', message: expect.stringContaining('Restore a backup') })
    expect(filesIn(dirname(path)).some((name) => name.endsWith('.bak'))).toBe(true)
    expect(sha256(path)).toBe(before)
  })
})

it('an error names the path where no folder can be created', async () => {
  for (const path of ['/proc/no-such-folder/muster.db', join(fileWith('x'), 'muster.db')])
    await expect(openSqlite(path, { mode: 'create' })).rejects.toMatchObject({
      code: expect.stringMatching(/^store_/),
      message: expect.stringContaining(dirname(path)),
    })
})

describe('a file system on which SQLite loses data', () => {
  it.each([
    ['NFS', 0x6969],
    ['SMB', 0x517b],
    ['CIFS', 0xff534d42 | 0],
    ['FUSE or virtiofs', 0x65735546],
    ['9p', 0x01021997],
  ])('the file system %s is refused and no file is created there', async (name, type) => {
    const path = join(testFolder(), 'home', 'muster.db')
    const filesystemType = () => type
    await expect(openSqlite(path, { mode: 'create', filesystemType })).rejects.toMatchObject({
      code: 'filesystem_unsuitable',
      message: expect.stringMatching(new RegExp(`is on ${name}.*set MUSTER_HOME to a local disk`)),
    })
    expect(filesIn(dirname(path))).toEqual([])
    const made = await madeStore({ cards: 0 })
    for (const mode of MODES)
      await expect(openSqlite(made, { mode, filesystemType })).rejects.toMatchObject({ code: 'filesystem_unsuitable' })
  })

  it('common local file systems are accepted', async () => {
    for (const type of [0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1]) {
      const store = await openSqlite(await madeStore({ cards: 0 }), { mode: 'write', filesystemType: () => type })
      await store.close()
    }
  })
})

describe('reading a store', () => {
  it('reading a cleanly closed store does not change the file or its folder', async () => {
    const path = await madeStore()
    const folder = dirname(path)
    const before = sha256(path)
    const store = await openFile(path, 'read')
    await store.exportAll()
    await store.tasks('main', { text: 'card' })
    await store.feed(null)
    await store.doctor()
    const watching = await store.watch(() => undefined)
    await watching.stop()
    await store.close()
    expect(sha256(path)).toBe(before)
    expect(withoutSidecars(filesIn(folder))).toEqual(['muster.db'])
  })

  it('reading after a kill shows all commits, with or without a writer', async () => {
    const path = await abandonedStore()
    const before = sha256(path)
    const reader = await openFile(path, 'read')
    const seen = await reader.exportAll()
    await reader.close()
    expect(seen.task?.filter((task) => task.held === true)).toHaveLength(1)
    expect(sha256(path)).toBe(before)
    const writer = await openFile(path, 'write')
    expect(await writer.exportAll()).toEqual(seen)
    await writer.close()
    const again = await openFile(path, 'read')
    expect(await again.exportAll()).toEqual(seen)
    await again.close()
  })
})

describe('paths', () => {
  it('a store behind a symbolic link keeps its -wal and -shm files next to the target', async () => {
    const path = await madeStore({ cards: 1 })
    const elsewhere = testFolder()
    symlinkSync(path, join(elsewhere, 'link.db'))
    const store = await openFile(join(elsewhere, 'link.db'), 'write')
    await addCard(store, 'second')
    const other = await openFile(path, 'read')
    expect(await other.tasks('main')).toHaveLength(2)
    await other.close()
    await store.close()
    expect(readdirSync(elsewhere)).toEqual(['link.db'])
  })

  it.each(['with space', 'per%20cent', 'quest?mode=ro', 'hash#tag', 'quo\'te"s', 'ünï 中', '-dash', 'a&b;c'])(
    'a store can be in a folder called %s',
    async (name) => {
      const folder = join(testFolder(), name)
      mkdirSync(folder)
      const path = await madeStore({ folder, cards: 1, name: `${name}.db` })
      const store = await openFile(path, 'read')
      expect(await store.tasks('main')).toHaveLength(1)
      await store.close()
      expect(withoutSidecars(filesIn(folder))).toEqual([`${name}.db`])
    },
  )
})

describe('file descriptors', () => {
  it('a store that fails to open leaves no descriptor open', async () => {
    const future = await madeStore({ cards: 0 })
    await runSql(future, `update meta set value = '${CODE_VERSION + 1}' where key = 'min_code'`)
    const overwritten = await madeStore()
    poke(overwritten, 100, Buffer.alloc(PAGE - 100, 0xa5))
    const paths = [future, overwritten, fileWith(''), fileWith('garbage '.repeat(2000)), join(testFolder(), 'none.db')]
    for (const path of paths) {
      for (const mode of ['read', 'write'] as const) for (let at = 0; at < 3; at += 1) await fault(path, mode)
      await fault(path, 'read')
      expect(descriptorsInto(dirname(path))).toEqual([])
    }
  })

  it('a closed store leaves no descriptor open', async () => {
    const path = await madeStore({ cards: 0 })
    for (let at = 0; at < 5; at += 1) {
      const store = await openFile(path, at % 2 === 0 ? 'read' : 'write')
      await store.exportAll()
      const watching = await store.watch(() => undefined)
      await watching.stop()
      await store.close()
    }
    expect(descriptorsInto(dirname(path))).toEqual([])
    rmSync(path)
  })
})
