import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BoardError } from '../../src/core/errors.ts'
import { systemReason, systemReasonWithPath, writeFault } from '../../src/util/system-errors.ts'

function thrownBy(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

test('a system error becomes a plain reason, with its path if requested', () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-errors-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const absent = thrownBy(() => readFileSync(join(folder, 'none')))
  expect([systemReason(absent), systemReasonWithPath(absent)]).toEqual([
    'no such file or folder',
    `no such file or folder (${join(folder, 'none')})`,
  ])
  expect(systemReason(thrownBy(() => readFileSync(join(file, 'below'))))).toBe('not a folder')
  expect(systemReason(thrownBy(() => readFileSync(folder)))).toBe('it is a folder')
})

test('an unknown error keeps its message', () => {
  const strange = Object.assign(new Error("EWHAT: who knows, open '/x'"), { code: 'EWHAT', path: '/x' })
  expect(systemReasonWithPath(strange)).toBe("EWHAT: who knows, open '/x'")
  expect(systemReason(new BoardError('store_io', 'The disk is away.'))).toBe('The disk is away.')
  expect(systemReason('gone')).toBe('gone')
})

const system = (code: string): Error => Object.assign(new Error(`${code}: write`), { code })

test.each(['ENOSPC', 'EDQUOT'])('a write that fails with %s reports a full disk in one sentence', (code) => {
  const full = { code: 'disk_full', message: 'The disk that holds /data/file is full: free some space.' }
  expect(writeFault(system(code), '/data/file')).toMatchObject(full)
  expect(writeFault(system(code), '/data/file', 'The file cannot be made.')).toMatchObject(full)
  expect(writeFault(new Error('git failed', { cause: system(code) }), '/data/file')).toMatchObject(full)
})

test('the message about a failed write gives the reason of the failure', () => {
  expect(writeFault(system('EACCES'), '/data/file')).toMatchObject({
    code: 'store_io',
    message: '/data/file cannot be written (no permission).',
  })
  expect(writeFault(system('EACCES'), '/data/file', 'The file cannot be made.')).toMatchObject({
    message: 'The file cannot be made.',
  })
})
