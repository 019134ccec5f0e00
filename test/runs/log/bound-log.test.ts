import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { boundLog, cutLog } from '../../../src/runs/log/bound-log.ts'
import { readCut } from '../../../src/runs/log/log-cut.ts'
import { readLogTail } from '../../../src/runs/log/log-tail.ts'
import { LogReader, tailPlace } from '../../../src/runs/log/read-log.ts'
import { startDetached } from '../../../src/processes/spawn.ts'

const FLOODS = fileURLToPath(new URL('../../fixtures/agents/floods.sh', import.meta.url))
const LINES = 300_000
const MAX = 256 * 1024

function makeLog(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'log')
}

const onDisk = (path: string): number => statSync(path).blocks * 512

/** Returns all output that a reader gets. A gap becomes a line `<gap>`. */
async function readAll(reader: LogReader): Promise<string> {
  let text = ''
  for (let piece = await reader.next(); piece !== null; piece = await reader.next())
    text += piece.omitted === 0 ? Buffer.from(piece.bytes).toString() : '\n<gap>\n'
  return text
}

/** Whether all lines between two gaps are present. */
function areConsecutive(text: string): boolean {
  return text.split('\n<gap>\n').every((part) => {
    const numbers = [...part.matchAll(/\nline (\d+) of noise that nobody will ever read(?=\n)/g)].map(([, n]) =>
      Number(n),
    )
    return numbers.every((number, at) => at === 0 || number === (numbers[at - 1] ?? 0) + 1)
  })
}

test('the log of a flooding agent keeps its beginning and end within the limit', async () => {
  const log = makeLog()
  const agent = await startDetached({ program: FLOODS, args: [String(LINES)], cwd: '/', env: process.env, log })
  const bounds = boundLog(log, { maxBytes: MAX, pollMs: 1 })
  let over = false
  const exited = agent.exited.then((exit) => {
    over = true
    return exit
  })
  const follower = new LogReader(log)
  let followed = ''
  while (!over) {
    followed += await readAll(follower)
    await new Promise((resolve) => setImmediate(resolve))
  }
  followed += await readAll(follower)
  expect(await exited).toEqual({ code: 0, signal: null })
  await bounds.stop()

  expect(onDisk(log)).toBeLessThanOrEqual(MAX)
  const kept = await readAll(new LogReader(log))
  for (const text of [kept, followed]) {
    expect(text.startsWith('it begins\nline 1 of')).toBe(true)
    expect(text.endsWith(`line ${LINES} of noise that nobody will ever read\nit ends\n`)).toBe(true)
    expect(text.includes('\0')).toBe(false)
    expect(areConsecutive(text)).toBe(true)
  }
  expect(kept.split('<gap>')).toHaveLength(2)
  expect(kept.length).toBeGreaterThan(MAX / 2)
  expect(await readLogTail(log, 100)).toMatch(/noise that nobody will ever read\nit ends$/)
})

test('a log within the limit is not cut', async () => {
  const log = makeLog()
  writeFileSync(log, 'x'.repeat(MAX))
  expect(await cutLog(log, { maxBytes: MAX })).toBe(MAX)
  expect(await readCut(log)).toBeNull()
  expect(await cutLog(join(log, 'none'), { maxBytes: MAX })).toBe(0)
})

test('without holes in files, a cut log keeps its beginning, its end and new output', async () => {
  const log = makeLog()
  const bounds = { maxBytes: MAX, punch: () => false }
  writeFileSync(log, `it begins\n${'a'.repeat(2 * MAX)}\nfirst words\n`)
  expect(await cutLog(log, bounds)).toBe(2 * MAX + 23)
  expect(statSync(log).size).toBe(MAX / 4)
  expect(await readLogTail(log)).toBe('first words')

  appendFileSync(log, 'later\n')
  expect(await readLogTail(log)).toBe('first words\nlater')
  expect(await readAll(new LogReader(log))).toMatch(/^it begins\na+\n<gap>\na+\nfirst words\nlater\n$/)
  expect(await readAll(new LogReader(log, await tailPlace(log, { lines: 2 })))).toBe('first words\nlater\n')
  expect(await readAll(new LogReader(log, await tailPlace(log, { bytes: 10 })))).toBe('later\n')

  appendFileSync(log, `${'b'.repeat(2 * MAX)}\nlast words\n`)
  await cutLog(log, bounds)
  expect(await readAll(new LogReader(log))).toMatch(/^it begins\na+\n<gap>\nb+\nlast words\n$/)
  expect(readdirSync(dirname(log)).filter((name) => name.includes('kept'))).toHaveLength(1)
})

test('without holes in files, a flooded log keeps its beginning and has one gap', async () => {
  const log = makeLog()
  const agent = await startDetached({ program: FLOODS, args: [String(LINES)], cwd: '/', env: process.env, log })
  const bounds = boundLog(log, { maxBytes: MAX, pollMs: 1, punch: () => false })
  expect(await agent.exited).toEqual({ code: 0, signal: null })
  await bounds.stop()
  const kept = await readAll(new LogReader(log))
  expect(kept.startsWith('it begins\nline 1 of')).toBe(true)
  expect(kept.split('<gap>')).toHaveLength(2)
  expect(kept.includes('\0')).toBe(false)
})

test('the hole in a log grows with the log, or the log is shortened if that fails', async () => {
  const log = makeLog()
  writeFileSync(log, `first\n${'a'.repeat(2 * MAX)}`)
  await cutLog(log, { maxBytes: MAX })
  const before = await readCut(log)
  appendFileSync(log, `${'b'.repeat(2 * MAX)}end\n`)
  await cutLog(log, { maxBytes: MAX })
  const after = await readCut(log)
  expect([after?.from, after?.base]).toEqual([before?.from, 0])
  expect(after?.to).toBeGreaterThan(before?.to ?? Infinity)
  expect(onDisk(log)).toBeLessThanOrEqual(MAX)
  expect(await readAll(new LogReader(log))).toMatch(/^first\na+\n<gap>\nb+end\n$/)

  appendFileSync(log, 'c'.repeat(2 * MAX))
  await cutLog(log, { maxBytes: MAX, punch: () => false })
  appendFileSync(log, 'd')
  expect(await readAll(new LogReader(log))).toMatch(/^first\na+\n<gap>\nc+d$/)
})

test('a reader continues after a part of the log that was cut before it was read', async () => {
  const log = makeLog()
  writeFileSync(log, `${'a'.repeat(100)}\n`)
  const reader = new LogReader(log)
  expect(await readAll(reader)).toBe(`${'a'.repeat(100)}\n`)
  appendFileSync(log, 'b'.repeat(3 * MAX))
  await cutLog(log, { maxBytes: MAX })
  const rest = await readAll(reader)
  expect(rest).toMatch(/^b+\n<gap>\nb+$/)
})
