import { expect, test } from 'vitest'
import { hasNoSpace, isFull } from '../../src/config/free-space.ts'

const figures = { blocks: 2_000_000, bavail: 1_000_000, bsize: 4096, files: 1_000_000, ffree: 1_000_000 }

test('a disk is full without free bytes or without free inodes', () => {
  expect(isFull(figures)).toBe(false)
  expect(isFull({ ...figures, bavail: 256 })).toBe(false)
  expect(isFull({ ...figures, bavail: 255 })).toBe(true)
  expect(isFull({ ...figures, ffree: 32 })).toBe(false)
  expect(isFull({ ...figures, ffree: 31 })).toBe(true)
})

test('a file system that does not count blocks or files is not full', () => {
  expect(isFull({ ...figures, files: 0, ffree: 0 })).toBe(false)
  expect(isFull({ ...figures, blocks: 0, bavail: 0 })).toBe(false)
})

test('a folder that does not exist is not full', async () => {
  expect(await hasNoSpace('/no/such/folder')).toBe(false)
})
