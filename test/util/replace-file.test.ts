import { readFile } from 'node:fs/promises'
import { mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFile, nullIfMissing, readIfExists, replaceFile } from '../../src/util/replace-file.ts'

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'muster-replace-'))

test('concurrent writes of one file all succeed and leave no temporary file', async () => {
  const folder = newFolder()
  const path = join(folder, 'one')
  const texts = Array.from({ length: 20 }, (_, at) => `text ${at}`)
  await Promise.all(texts.map((text) => replaceFile(path, text)))
  expect(texts).toContain(readFileSync(path, 'utf8'))
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['one'])
})

test('createFile does not replace an existing file', async () => {
  const folder = newFolder()
  const path = join(folder, 'one')
  writeFileSync(path, 'before')
  expect(await createFile(path, 'after')).toBe(false)
  expect(readFileSync(path, 'utf8')).toBe('before')
  expect(await createFile(join(folder, 'two'), 'new')).toBe(true)
  expect(readdirSync(folder).toSorted()).toEqual(['one', 'two'])
})

test('a file that does not exist reads as null', async () => {
  expect(await readIfExists(join(newFolder(), 'none'))).toBeNull()
})

test('only a missing file gives null, and any other error is thrown', async () => {
  const folder = newFolder()
  expect(await nullIfMissing(readFile(join(folder, 'none'), 'utf8'))).toBeNull()
  await expect(nullIfMissing(readFile(folder, 'utf8'))).rejects.toMatchObject({ code: 'EISDIR' })
})

test('an exact mode does not depend on the umask', async () => {
  const path = join(newFolder(), 'one')
  const mask = process.umask(0o077)
  try {
    await replaceFile(path, 'text', { mode: 0o664, exactMode: true })
  } finally {
    process.umask(mask)
  }
  expect(statSync(path).mode & 0o777).toBe(0o664)
})
