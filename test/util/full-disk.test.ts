import { expect, test } from 'vitest'
import { hasNoSpace } from '../../src/config/free-space.ts'
import { isFullDisk, reportsFullDisk } from '../../src/util/full-disk.ts'

const figures = { blocks: 2_000_000, bavail: 1_000_000, bsize: 4096, files: 1_000_000, ffree: 1_000_000 }

test('a disk is full if it has no free bytes or no free inodes', () => {
  expect(isFullDisk(figures)).toBe(false)
  expect(isFullDisk({ ...figures, bavail: 256 })).toBe(false)
  expect(isFullDisk({ ...figures, bavail: 255 })).toBe(true)
  expect(isFullDisk({ ...figures, ffree: 32 })).toBe(false)
  expect(isFullDisk({ ...figures, ffree: 31 })).toBe(true)
})

test('a file system that does not count blocks or files is not reported as a full disk', () => {
  expect(isFullDisk({ ...figures, files: 0, ffree: 0 })).toBe(false)
  expect(isFullDisk({ ...figures, blocks: 0, bavail: 0 })).toBe(false)
})

test('a folder that does not exist is not reported as a full disk', async () => {
  expect(await hasNoSpace('/no/such/folder')).toBe(false)
})

test('a full disk is recognised in the output of programs', () => {
  expect(reportsFullDisk('error: unable to write file a.txt: No space left on device')).toBe(true)
  expect(reportsFullDisk("Error: EDQUOT: disk quota exceeded, write '/a'")).toBe(true)
  expect(reportsFullDisk('fatal: not a git repository')).toBe(false)
})
