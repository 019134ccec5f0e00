import { mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFile, readIfExists, replaceFile } from '../../src/util/replace-file.ts'

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'muster-replace-'))

test('concurrent writes of one file all succeed and leave only the file', async () => {
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
