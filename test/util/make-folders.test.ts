import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolders } from '../../src/util/make-folders.ts'
import { testFolder } from '../helpers/stores.ts'

test('missing parent folders are created with access only for the owner', () => {
  const folder = testFolder()
  const deep = join(folder, 'a', 'b', 'c')
  expect(makeFolders(deep)).toBe(true)
  for (const path of [deep, join(folder, 'a')]) expect(statSync(path).mode & 0o777).toBe(0o700)
  expect(makeFolders(deep)).toBe(false)
})

test('a file in place of a folder is an error', () => {
  const file = join(testFolder(), 'file')
  writeFileSync(file, '')
  expect(() => makeFolders(file)).toThrow('EEXIST')
  expect(() => makeFolders(join(file, 'below'))).toThrow('ENOTDIR')
})

test.each(['/proc/no-such-folder', '/proc/no-such-folder/below'])(
  'creating %s fails with the error of the system',
  (path) => {
    expect(() => makeFolders(path)).toThrow(path.slice(0, '/proc/no-such-folder'.length))
  },
)
