import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cutLog } from '../../../src/runs/log/bound-log.ts'
import { adapter as codex } from '../../../src/harnesses/codex.ts'
import { summarizeLog } from '../../../src/harnesses/stream/summarize-log.ts'
import type { ReadLine } from '../../../src/harnesses/stream/entry.ts'
import type { TurnSummary } from '../../../src/harnesses/stream/turn-summary.ts'
import { LogFollower } from '../../../src/harnesses/stream/log-follower.ts'
import { makeFolder } from '../job.ts'
import { summaryOf, linesOf } from '../recordings.ts'

/** Reads each line `say …` as a message of the agent. */
const saying: ReadLine = (line) => (line.startsWith('say ') ? [{ kind: 'said', text: line.slice(4) }] : [])

function logOf(before = ''): string {
  const log = join(makeFolder(), 'log')
  writeFileSync(log, before)
  return log
}

test('lines are read whole, however the output is split into pieces', async () => {
  const log = logOf()
  const bytes = Buffer.from(linesOf('codex/success').join('\n'))
  for (const size of [1, 7, 64, 4_096]) {
    writeFileSync(log, '')
    const follower = new LogFollower(log, codex.readLine ?? (() => []), { lookMs: 1 })
    await follower.begin()
    for (let at = 0; at < bytes.length; at += size) {
      appendFileSync(log, bytes.subarray(at, at + size))
      if (at % 512 < size) await new Promise((resolve) => setTimeout(resolve, 2))
    }
    expect(await follower.end()).toEqual(summaryOf(codex, 'codex/success'))
  }
})

test('a character that two reads split is joined, and the last line needs no newline', async () => {
  const log = logOf()
  const follower = new LogFollower(log, saying, { lookMs: 1 })
  await follower.begin()
  const bytes = Buffer.from('say größer — 日本')
  const messages: (string | null)[] = []
  for (const byte of bytes) {
    appendFileSync(log, Buffer.from([byte]))
    await new Promise((resolve) => setTimeout(resolve, 2))
    messages.push(follower.summary.lastMessage)
  }
  expect(new Set(messages)).toEqual(new Set([null]))
  expect(await follower.end()).toMatchObject({ lastMessage: 'größer — 日本' })
})

test('the output of an earlier turn is not read again', async () => {
  const log = logOf('say before\n')
  const follower = new LogFollower(log, saying)
  await follower.begin()
  expect((await follower.end()).lastMessage).toBeNull()
})

test('a line that is too long is skipped, and later lines are read', async () => {
  const log = logOf()
  const follower = new LogFollower(log, saying)
  await follower.begin()
  appendFileSync(log, `say first\nsay ${'x'.repeat(5 * 1024 ** 2)}\nsay last\n`)
  const messages: (string | null)[] = []
  expect((await follower.end()).lastMessage).toBe('last')
  const again = new LogFollower(log, saying, { onChange: (summary: TurnSummary) => messages.push(summary.lastMessage) })
  await again.begin()
  appendFileSync(log, `say ${'x'.repeat(5 * 1024 ** 2)}\nsay last\n`)
  await again.end()
  expect(messages).toEqual(['last'])
})

test('a log is read to its end even if its middle was cut', async () => {
  const log = logOf()
  const follower = new LogFollower(log, saying)
  await follower.begin()
  appendFileSync(log, 'say early\n')
  for (let round = 0; round < 8; round += 1) {
    appendFileSync(log, `${'noise '.repeat(10_000)}\n`)
    await cutLog(log, { maxBytes: 65_536 })
  }
  appendFileSync(log, 'say late\n')
  expect((await follower.end()).lastMessage).toBe('late')
})

test('the rest of a line is not read if its beginning was cut from the log', async () => {
  const log = logOf()
  const follower = new LogFollower(log, saying, { lookMs: 3_600_000 })
  await follower.begin()
  // Disk blocks and `say two ` are multiples of 8 bytes, so the rest of the line begins like a valid line.
  appendFileSync(log, 'say one\n')
  appendFileSync(log, `${'say two '.repeat(20_000)}\n`)
  await cutLog(log, { maxBytes: 65_536 })
  expect((await follower.end()).lastMessage).toBe('one')
})

test('the summary of a long log includes the failure at its end', async () => {
  const log = logOf(`${'noise\n'.repeat(50_000)}${linesOf('codex/rate-limited').join('\n')}`)
  expect(await summarizeLog(log, codex.readLine ?? saying)).toMatchObject({ failure: { kind: 'rate_limited' } })
})

test('the summary of a log counts the tokens of resumed turns once', async () => {
  const turns = ['nudge', 'nudge.2'].map((name) => linesOf(`codex/${name}`).join('\n'))
  const log = logOf(`${turns[0]}\n# muster: turn 2: no verdict\n${turns[1]}`)
  const second = summaryOf(codex, 'codex/nudge.2')
  const summary = await summarizeLog(log, codex.readLine ?? saying)
  expect(summary).toMatchObject({ ...second, usage: expect.anything() })
  // The recording made three model calls, each of 100 input and 20 output tokens.
  expect(summary.usage).toEqual({ inputTokens: 300, outputTokens: 60, costUsd: null })
})

test('a gap in a log does not hide later output', async () => {
  const log = logOf()
  for (let round = 0; round < 8; round += 1) {
    appendFileSync(log, `${'noise '.repeat(10_000)}\n`)
    await cutLog(log, { maxBytes: 65_536 })
  }
  appendFileSync(log, `${linesOf('codex/success').join('\n')}\n`)
  expect(await summarizeLog(log, codex.readLine ?? saying)).toEqual(summaryOf(codex, 'codex/success'))
  expect((await summarizeLog(join(log, 'none'), saying)).lastMessage).toBeNull()
})
