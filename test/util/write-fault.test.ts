import { expect, test } from 'vitest'
import { writeFault } from '../../src/util/write-fault.ts'

const system = (code: string): Error => Object.assign(new Error(`${code}: write`), { code })

test.each(['ENOSPC', 'EDQUOT'])('a write that fails with %s reports a full disk in one sentence', (code) => {
  const full = { code: 'disk_full', message: 'The disk that holds /data/file is full: free some space.' }
  expect(writeFault(system(code), '/data/file')).toMatchObject(full)
  expect(writeFault(system(code), '/data/file', 'The file cannot be made.')).toMatchObject(full)
  expect(writeFault(new Error('git failed', { cause: system(code) }), '/data/file')).toMatchObject(full)
})

test('a write that fails for another reason names it', () => {
  expect(writeFault(system('EACCES'), '/data/file')).toMatchObject({
    code: 'store_io',
    message: '/data/file cannot be written (no permission).',
  })
  expect(writeFault(system('EACCES'), '/data/file', 'The file cannot be made.')).toMatchObject({
    message: 'The file cannot be made.',
  })
})
