import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { noteInLog } from '../../../src/runs/log/log-note.ts'
import { lastWords, readLogTail } from '../../../src/runs/log/log-tail.ts'

test('only whole lines, when the beginning is cut off', () => {
  expect(lastWords(Buffer.from('half a line\nsecond\nthird\n'), true)).toBe('second\nthird')
})

test('one endless line is kept rather than nothing', () => {
  expect(lastWords(Buffer.from('endless'), true)).toBe('endless')
  expect(lastWords(Buffer.from('endless\n'), true)).toBe('endless')
})

test('bytes that are no text, and NUL, cannot spoil the rest', () => {
  expect(lastWords(Buffer.from([0xff, 0x00, 0x61]), false)).toBe('\uFFFDa')
})

test('silence is null', () => {
  expect(lastWords(Buffer.from(' \n\n'), false)).toBeNull()
})

test('the end of a long file is read without the rest; a missing one says nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'log')
  writeFileSync(file, `${'x'.repeat(10_000)}\nlast\n`)
  expect(await readLogTail(file, 100)).toBe('last')
  expect(await readLogTail(join(folder, 'none'))).toBeNull()
})

test('where a turn begins stands on a line of its own, and is no word of the agent', async () => {
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
