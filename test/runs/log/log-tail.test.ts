import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { noteInLog } from '../../../src/runs/log/log-note.ts'
import { decodeLogTail, readLogTail } from '../../../src/runs/log/log-tail.ts'

test('the tail of a cut text has only whole lines', () => {
  expect(decodeLogTail(Buffer.from('half a line\nsecond\nthird\n'), true)).toBe('second\nthird')
})

test('a single line is kept even if its beginning is cut', () => {
  expect(decodeLogTail(Buffer.from('endless'), true)).toBe('endless')
  expect(decodeLogTail(Buffer.from('endless\n'), true)).toBe('endless')
})

test('invalid bytes are replaced and NUL is removed', () => {
  expect(decodeLogTail(Buffer.from([0xff, 0x00, 0x61]), false)).toBe('\uFFFDa')
})

test('an empty log has no tail', () => {
  expect(decodeLogTail(Buffer.from(' \n\n'), false)).toBeNull()
})

test('the tail of a long log is read, and a missing log has no tail', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'log')
  writeFileSync(file, `${'x'.repeat(10_000)}\nlast\n`)
  expect(await readLogTail(file, 100)).toBe('last')
  expect(await readLogTail(join(folder, 'none'))).toBeNull()
})

test('the note at the beginning of a turn has its own line and is not in the tail', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'log')
  await noteInLog(file, 'turn 1: first')
  writeFileSync(file, 'no end', { flag: 'a' })
  await noteInLog(file, 'turn 2: asked\nagain')
  await noteInLog(file, 'RESULT.json is no verdict')
  expect(readFileSync(file, 'utf8')).toBe(
    '# muster: turn 1: first\nno end\n# muster: turn 2: asked again\n# muster: RESULT.json is no verdict\n',
  )
  expect(await readLogTail(file)).toBe('no end\n# muster: RESULT.json is no verdict')
})
