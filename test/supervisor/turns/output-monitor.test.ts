import { appendFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Store } from '../../../src/storage/store.ts'
import { runDirectoryAt } from '../../../src/runs/files/run-directory.ts'
import type { Entry, Failure, ReadLine } from '../../../src/harnesses/stream/entry.ts'
import { OutputMonitor } from '../../../src/supervisor/turns/output-monitor.ts'
import type { SupervisedRun } from '../../../src/supervisor/supervised-run.ts'
import { runOf, sampleRun } from '../../helpers/sample.ts'
import { adapter as codex } from '../../../src/harnesses/codex.ts'
import { makeFolder } from '../../harnesses/job.ts'
import { linesOf } from '../../harnesses/recordings.ts'

/** Parses a line of the agent's output, which is an entry as JSON. */
const readLine: ReadLine = (line) => [JSON.parse(line) as Entry]

const limit = (retryAt: number | null = null): Failure => ({ kind: 'rate_limited', message: 'too many', retryAt })

const LOOK_MS = 5

async function listen(reads: ReadLine | null = readLine, { quotaWaitMs = 60_000, probe = false } = {}) {
  const directory = runDirectoryAt(makeFolder())
  writeFileSync(directory.log, '')
  const decided: unknown[] = []
  const stuck: Failure[] = []
  const owned = {
    directory,
    run: { ...sampleRun(), id: runOf('a'), probe, account: 'acme' },
    ticket: { board: 'main', quotaWaitMs },
    store: { decide: async (command: unknown) => void decided.push(command) } as unknown as Store,
  } as unknown as SupervisedRun
  const monitor = new OutputMonitor(owned, (failure) => stuck.push(failure), LOOK_MS)
  const printLines = (lines: readonly string[]): void =>
    appendFileSync(directory.log, lines.map((line) => `${line}\n`).join(''))
  const print = (...entries: readonly Entry[]): void => printLines(entries.map((entry) => JSON.stringify(entry)))
  await monitor.beginTurn(reads)
  return { monitor, print, printLines, stuck, decided }
}

const EXITED = { how: 'exited', exitCode: 1, signal: null } as const

test.each([
  ['rate_limited', { how: 'rate_limited', error: 'words', retryAt: 5 }],
  ['billing', { how: 'rate_limited', error: 'words', retryAt: 5 }],
  ['auth', { how: 'auth_failed', error: 'words' }],
  ['turn_limit', { how: 'turn_limit', error: 'words' }],
  ['context_overflow', { how: 'exited', error: 'words', exitCode: 1 }],
  ['other', { how: 'exited', error: 'words', exitCode: 1 }],
] as const)('a run whose agent reports %s before it exits ends with that failure', async (kind, ending) => {
  const { monitor, print } = await listen()
  print({ kind: 'failed', failure: { kind, message: 'words', retryAt: 5 } })
  expect(await monitor.endTurn(EXITED)).toMatchObject(ending)
})

test('a run is rate limited only if its agent exits while it waits until a limit resets', async () => {
  const waiting = await listen()
  waiting.print({ kind: 'waits', failure: limit() })
  expect(await waiting.monitor.endTurn(EXITED)).toMatchObject({ how: 'rate_limited' })
  const continued = await listen()
  continued.print({ kind: 'waits', failure: limit() }, { kind: 'said', text: 'here' })
  expect(await continued.monitor.endTurn(EXITED)).toEqual(EXITED)
})

test('a timed-out run stays timed out, even if the agent reported a limit', async () => {
  const { monitor, print } = await listen()
  print({ kind: 'failed', failure: limit() })
  expect(await monitor.endTurn({ how: 'timed_out', error: 'overtime' })).toEqual({
    how: 'timed_out',
    error: 'overtime',
  })
})

test.each(['timed_out', 'stale'] as const)(
  'a run whose agent waited for its quota is rate limited instead of %s',
  async (how) => {
    const waiting = await listen()
    waiting.print({ kind: 'waits', failure: limit(Date.now() + 60_000) })
    expect(await waiting.monitor.endTurn({ how })).toMatchObject({ how: 'rate_limited', error: 'too many' })
    const atWork = await listen()
    atWork.print({ kind: 'waits', failure: limit(Date.now() - 60_000) })
    expect(await atWork.monitor.endTurn({ how })).toEqual({ how })
  },
)

test('usage is summed over all turns, but session and last message come from the last turn', async () => {
  const { monitor, print } = await listen()
  const usage = { inputTokens: 10, outputTokens: 1, costUsd: null }
  print({ kind: 'session', id: 's1' }, { kind: 'usage', of: 'turn', usage }, { kind: 'said', text: 'one' })
  await monitor.endTurn(EXITED)
  await monitor.beginTurn(readLine)
  print({ kind: 'usage', of: 'step', usage }, { kind: 'usage', of: 'step', usage: { ...usage, costUsd: 2 } })
  await monitor.endTurn(EXITED)
  expect(monitor).toMatchObject({
    session: 's1',
    lastMessage: 'one',
    usage: { inputTokens: 30, outputTokens: 3, costUsd: 2 },
  })
})

test('tokens that Codex counts per thread are counted once over resumed turns', async () => {
  const { monitor, printLines } = await listen(codex.readLine)
  printLines(linesOf('codex/nudge'))
  await monitor.endTurn(EXITED)
  await monitor.beginTurn(codex.readLine)
  printLines(linesOf('codex/nudge.2'))
  await monitor.endTurn(EXITED)
  // The recording has three model calls of 100 input and 20 output tokens.
  expect(monitor.usage).toEqual({ inputTokens: 300, outputTokens: 60, costUsd: null })
})

/** Returns the input tokens that are counted after turns with these session totals. */
async function usageOver(turns: readonly (readonly [session: string, inputTokens: number | null])[]): Promise<unknown> {
  const { monitor, print } = await listen()
  for (const [id, inputTokens] of turns) {
    const usage = { inputTokens, outputTokens: 1, costUsd: null }
    print({ kind: 'session', id }, { kind: 'usage', of: 'session', usage })
    await monitor.endTurn(EXITED)
    await monitor.beginTurn(readLine)
  }
  await monitor.endTurn(EXITED)
  return monitor.usage?.inputTokens
}

test.each([
  [
    'one session',
    [
      ['s1', 100],
      ['s1', 300],
      ['s1', 350],
    ],
    350,
  ],
  [
    'a session that is replaced',
    [
      ['s1', 100],
      ['s2', 30],
      ['s2', 70],
    ],
    170,
  ],
  [
    'a session whose total restarts',
    [
      ['s1', 100],
      ['s1', 40],
    ],
    140,
  ],
  [
    'a session that is interrupted by another',
    [
      ['s1', 100],
      ['s2', 30],
      ['s1', 150],
    ],
    180,
  ],
  [
    'a turn without an input count',
    [
      ['s1', 100],
      ['s1', null],
      ['s1', 150],
    ],
    150,
  ],
] as const)('tokens that are reported as session totals are counted once: %s', async (_, turns, inputTokens) => {
  expect(await usageOver(turns)).toBe(inputTokens)
})

/** Advances the fake clock only as far as the follower needs to read the log. */
async function followUntil(isRead: () => boolean): Promise<void> {
  while (!isRead()) {
    await vi.advanceTimersByTimeAsync(LOOK_MS)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const WAIT_MS = 600_000
/** Whether the alarm is set. In this case, two timers are set: the next read of the follower, and the alarm. */
const isAlarmSet = (): boolean => vi.getTimerCount() === 2

describe('limits', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  test('an agent that waits too long for a limit is reported once', async () => {
    const { monitor, print, stuck } = await listen(readLine, { quotaWaitMs: WAIT_MS })
    print({ kind: 'waits', failure: limit() })
    await followUntil(isAlarmSet)
    expect(stuck).toEqual([])
    await vi.advanceTimersByTimeAsync(2 * WAIT_MS)
    expect(stuck).toEqual([limit()])
    await monitor.endTurn(EXITED)
  })

  test('an agent that continues after a limit is not reported', async () => {
    const { monitor, print, stuck, decided } = await listen(readLine, { quotaWaitMs: WAIT_MS, probe: true })
    print({ kind: 'waits', failure: limit() })
    await followUntil(isAlarmSet)
    print({ kind: 'answers' })
    await followUntil(() => decided.length > 0)
    await vi.advanceTimersByTimeAsync(2 * WAIT_MS)
    expect(stuck).toEqual([])
    await monitor.endTurn(EXITED)
  })

  test('an agent that waits for an announced time is not reported, even after that time', async () => {
    const { monitor, print, stuck } = await listen(readLine, { quotaWaitMs: WAIT_MS })
    print({ kind: 'waits', failure: limit(Date.now() + WAIT_MS / 2) })
    await followUntil(isAlarmSet)
    await vi.advanceTimersByTimeAsync(2 * WAIT_MS)
    expect(stuck).toEqual([])
    await monitor.endTurn(EXITED)
  })
})

const tooLong: Entry = {
  kind: 'failed',
  failure: { kind: 'context_overflow', message: 'too long', retryAt: null },
}
const shortened: Entry = { kind: 'said', text: 'a summary' }
const REPEATED = [1, 2, 3, 4].flatMap(() => [tooLong, shortened])

test('a conversation that is still too long after shortening is reported once', async () => {
  const { monitor, print, stuck } = await listen()
  print(...REPEATED, tooLong, shortened, tooLong)
  await monitor.endTurn(EXITED)
  expect(stuck).toEqual([tooLong.failure])
})

test('a conversation that is shortened while the agent works is not reported', async () => {
  const { monitor, print, stuck } = await listen()
  print(...REPEATED, { kind: 'called', tool: 'write', input: {} }, ...REPEATED)
  await monitor.endTurn(EXITED)
  expect(stuck).toEqual([])
})

test('the first model response of a probe resumes its account once', async () => {
  const { monitor, print, decided } = await listen(readLine, { probe: true })
  print({ kind: 'answers' }, { kind: 'said', text: 'here' })
  await monitor.endTurn(EXITED)
  expect(decided).toMatchObject([{ verb: 'resume_account', input: { account: 'acme', probeRunId: runOf('a') } }])
  const other = await listen()
  other.print({ kind: 'answers' })
  await other.monitor.endTurn(EXITED)
  expect(other.decided).toEqual([])
})
