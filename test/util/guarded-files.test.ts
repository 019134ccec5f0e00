import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  closeSync,
  linkSync,
  mkdirSync,
  readFileSync as readRaw,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync as writeRaw,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  appendFile,
  open,
  openSync,
  readFile,
  readFileSync,
  readNamed,
  truncate,
  writeFile,
} from '../../src/util/guarded-files.ts'
import { holdStoreFiles, isStoreFile } from '../../src/util/store-files.ts'
import { testFolder } from '../helpers/stores.ts'

/** Makes files that count as an open store, and a hard link to each of these files. */
function held() {
  const folder = testFolder()
  mkdirSync(join(folder, 'workspace'))
  const store = join(folder, 'muster.db')
  for (const tail of ['', '-wal', '-shm']) {
    writeRaw(`${store}${tail}`, `store${tail}`)
    linkSync(`${store}${tail}`, join(folder, `workspace/link${tail}`))
  }
  const release = holdStoreFiles(store)
  onTestFinished(release)
  return { folder, store, release, link: (tail = '') => join(folder, `workspace/link${tail}`) }
}

const refusal = expect.objectContaining({ code: 'EBUSY' }) as Error

test('a file of the store is not opened under another name', async () => {
  const { link, store } = held()
  for (const tail of ['', '-wal', '-shm']) {
    await expect(readFile(link(tail), 'utf8')).rejects.toEqual(refusal)
    await expect(writeFile(link(tail), 'x')).rejects.toEqual(refusal)
    await expect(appendFile(link(tail), 'x')).rejects.toEqual(refusal)
    await expect(truncate(link(tail), 0)).rejects.toEqual(refusal)
    expect(() => readFileSync(link(tail))).toThrow(refusal)
    expect(readRaw(`${store}${tail}`, 'utf8')).toBe(`store${tail}`)
  }
})

test('a store file is refused even after it was moved', async () => {
  const { store, folder } = held()
  renameSync(store, join(folder, 'moved'))
  writeRaw(store, 'new')
  await expect(readFile(join(folder, 'moved'))).rejects.toEqual(refusal)
  await expect(readFile(store)).rejects.toEqual(refusal)
})

test('files that do not belong to the store can be read, written, truncated and appended to', async () => {
  const { folder } = held()
  const path = join(folder, 'own')
  await writeFile(path, 'one two', { mode: 0o600 })
  await writeFile(path, 'one', { flush: true })
  await appendFile(path, ' more')
  expect(await readFile(path, 'utf8')).toBe('one more')
  await truncate(path, 3)
  expect(readFileSync(path, 'utf8')).toBe('one')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  await expect(writeFile(path, 'x', { flag: 'wx' })).rejects.toMatchObject({ code: 'EEXIST' })
  const descriptor = openSync(path, 'r+')
  closeSync(descriptor)
  await (await open(path, 'a')).close()
  appendFileSync(path, '!')
  expect((await readFile(path)).toString()).toBe('one!')
})

test('the file of a store can be read after the store is closed', async () => {
  const { store, release, link } = held()
  expect(isStoreFile(statSync(store))).toBe(true)
  release()
  expect(isStoreFile(statSync(store))).toBe(false)
  expect(await readFile(link(), 'utf8')).toBe('store')
})

test('a pipe or device in place of a file is refused without waiting', async () => {
  const folder = testFolder()
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  symlinkSync('/dev/zero', join(folder, 'device'))
  for (const path of [pipe, join(folder, 'device')]) {
    await expect(readFile(path)).rejects.toMatchObject({ code: 'EFTYPE' })
    expect(() => readFileSync(path)).toThrow('it is not a file')
    expect(() => openSync(path, 'a')).toThrow(/not a file|ENXIO/)
    await expect(writeFile(path, 'x')).rejects.toThrow(/not a file|ENXIO/)
  }
})

test('a pipe named on the command line is read to its end', async () => {
  const pipe = join(testFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const ended = once(spawn('sh', ['-c', `echo words >${pipe}`], { stdio: 'ignore' }), 'exit')
  expect((await readNamed(pipe)).toString()).toBe('words\n')
  await expect(readNamed('/dev/zero')).rejects.toThrow('/dev/zero has more than 16 MiB')
  await ended
})
