import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { cutLog } from '../../../src/runs/log/bound-log.ts'
import { LogReader, tailPlace } from '../../../src/runs/log/read-log.ts'
import type { LogTail } from '../../../src/runs/log/read-log.ts'

function logOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'log'), text)
  return join(folder, 'log')
}

async function endOf(log: string, tail: LogTail): Promise<string> {
  const reader = new LogReader(log, await tailPlace(log, tail))
  let text = ''
  for (let piece = await reader.next(); piece !== null; piece = await reader.next())
    text += piece.omitted === 0 ? Buffer.from(piece.bytes).toString() : '<gap>'
  return text
}

test('the tail has the last lines, even if the last one is unfinished', async () => {
  const log = logOf('one\ntwo\nthree\n')
  expect(await endOf(log, { lines: 1 })).toBe('three\n')
  expect(await endOf(log, { lines: 2 })).toBe('two\nthree\n')
  expect(await endOf(log, { lines: 9 })).toBe('one\ntwo\nthree\n')
  expect(await endOf(log, { lines: 0 })).toBe('')
  expect(await endOf(log, { bytes: 0 })).toBe('')
  expect(await endOf(logOf('one\ntwo'), { lines: 1 })).toBe('two')
  expect(await endOf(logOf('\n\n\n'), { lines: 2 })).toBe('\n\n')
  expect(await endOf(logOf(''), { lines: 3 })).toBe('')
})

test('the last lines are found in a log that is too long for one read', async () => {
  const lines = Array.from({ length: 30_000 }, (_, at) => `line ${at}`)
  const log = logOf(`${lines.join('\n')}\n`)
  for (const count of [1, 7_000, 29_999, 30_000])
    expect(await endOf(log, { lines: count })).toBe(`${lines.slice(-count).join('\n')}\n`)
})

test('a tail by size has whole lines, or the end of a single long line', async () => {
  const log = logOf('one\ntwo\nthree\n')
  expect(await endOf(log, { bytes: 8 })).toBe('three\n')
  expect(await endOf(log, { bytes: 6 })).toBe('three\n')
  expect(await endOf(log, { bytes: 1000 })).toBe('one\ntwo\nthree\n')
  expect(await endOf(logOf('x'.repeat(100)), { bytes: 10 })).toBe('x'.repeat(10))
})

test('a tail by lines starts after a gap, and a tail by size reports the gap', async () => {
  const log = logOf(`${'a\n'.repeat(100_000)}`)
  await cutLog(log, { maxBytes: 64 * 1024 })
  expect(await endOf(log, { lines: 90_000 })).toMatch(/^(a\n)+$/)
  expect(await endOf(log, { lines: 3 })).toBe('a\na\na\n')
  expect(await endOf(log, { bytes: 150_000 })).toMatch(/^<gap>(a\n)+$/)
})
