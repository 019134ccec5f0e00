import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BoardError } from '../../src/core/errors.ts'
import { systemFault, systemWords } from '../../src/util/system-words.ts'

function thrownBy(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

test('a refusal of the system is told in words, with its place where that is not told', () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-words-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const absent = thrownBy(() => readFileSync(join(folder, 'none')))
  expect([systemWords(absent), systemFault(absent)]).toEqual([
    'no such file or folder',
    `no such file or folder (${join(folder, 'none')})`,
  ])
  expect(systemWords(thrownBy(() => readFileSync(join(file, 'below'))))).toBe('not a folder')
  expect(systemWords(thrownBy(() => readFileSync(folder)))).toBe('it is a folder')
})

test('what is not known speaks for itself', () => {
  const strange = Object.assign(new Error("EWHAT: who knows, open '/x'"), { code: 'EWHAT', path: '/x' })
  expect(systemFault(strange)).toBe("EWHAT: who knows, open '/x'")
  expect(systemWords(new BoardError('store_io', 'The disk is away.'))).toBe('The disk is away.')
  expect(systemWords('gone')).toBe('gone')
})
