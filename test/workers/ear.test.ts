import { appendFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Store } from '../../src/storage/store.ts'
import { runDirectoryAt } from '../../src/workers/run-directory.ts'
import type { Entry, Failure, ReadLine } from '../../src/workers/stream/entry.ts'
import { Ear } from '../../src/workers/supervisor/ear.ts'
import type { Owned } from '../../src/workers/supervisor/owned.ts'
import { runOf, sampleRun } from '../helpers/sample.ts'
import { makeFolder } from './harnesses/job.ts'

/** An agent that prints what is to be heard of it. */
const readLine: ReadLine = (line) => [JSON.parse(line) as Entry]

const limit = (retryAt: number | null = null): Failure => ({ kind: 'rate_limited', message: 'too many', retryAt })

const LOOK_MS = 5

async function listen({ quotaWaitMs = 60_000, probe = false } = {}) {
  const directory = runDirectoryAt(makeFolder())
  writeFileSync(directory.log, '')
  const decided: unknown[] = []
  const walls: Failure[] = []
  const owned = {
    directory,
    run: { ...sampleRun(), id: runOf('a'), probe, account: 'acme' },
    ticket: { board: 'main', quotaWaitMs },
    store: { decide: async (command: unknown) => void decided.push(command) } as unknown as Store,
  } as unknown as Owned
  const ear = new Ear(owned, (failure) => walls.push(failure), LOOK_MS)
  const print = (...entries: readonly Entry[]): void =>
    appendFileSync(directory.log, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  await ear.begin(readLine)
  return { ear, print, walls, decided }
}

const EXITED = { how: 'exited', exitCode: 1, signal: null } as const

test.each([
  ['rate_limited', { how: 'rate_limited', error: 'words', retryAt: 5 }],
  ['billing', { how: 'rate_limited', error: 'words', retryAt: 5 }],
  ['auth', { how: 'auth_failed', error: 'words' }],
  ['turn_limit', { how: 'turn_limit', error: 'words' }],
  ['context_overflow', { how: 'exited', error: 'words', exitCode: 1 }],
  ['other', { how: 'exited', error: 'words', exitCode: 1 }],
] as const)('an agent that said %s before it exited is judged by that', async (kind, ending) => {
  const { ear, print } = await listen()
  print({ kind: 'failed', failure: { kind, message: 'words', retryAt: 5 } })
  expect(await ear.judge(EXITED)).toMatchObject(ending)
})

test('a limit that it did not outwait ended it, and one that it did outwait did not', async () => {
  const gaveUp = await listen()
  gaveUp.print({ kind: 'waits', failure: limit() })
  expect(await gaveUp.ear.judge(EXITED)).toMatchObject({ how: 'rate_limited' })
  const wentOn = await listen()
  wentOn.print({ kind: 'waits', failure: limit() }, { kind: 'said', text: 'here' })
  expect(await wentOn.ear.judge(EXITED)).toEqual(EXITED)
})

test('an end that was not its own stays what it is', async () => {
  const { ear, print } = await listen()
  print({ kind: 'failed', failure: limit() })
  expect(await ear.judge({ how: 'timed_out', error: 'overtime' })).toEqual({ how: 'timed_out', error: 'overtime' })
})

test.each(['timed_out', 'stale'] as const)(
  'time that it spent waiting for its quota is not held against it: %s',
  async (how) => {
    const waiting = await listen()
    waiting.print({ kind: 'waits', failure: limit(Date.now() + 60_000) })
    expect(await waiting.ear.judge({ how })).toMatchObject({ how: 'rate_limited', error: 'too many' })
    const atWork = await listen()
    atWork.print({ kind: 'waits', failure: limit(Date.now() - 60_000) })
    expect(await atWork.ear.judge({ how })).toEqual({ how })
  },
)

test('what its turns cost is added up; its session and its last words are the latest', async () => {
  const { ear, print } = await listen()
  const usage = { inputTokens: 10, outputTokens: 1, costUsd: null }
  print({ kind: 'session', id: 's1' }, { kind: 'usage', whole: true, usage }, { kind: 'said', text: 'one' })
  await ear.judge(EXITED)
  await ear.begin(readLine)
  print({ kind: 'usage', whole: false, usage }, { kind: 'usage', whole: false, usage: { ...usage, costUsd: 2 } })
  await ear.judge(EXITED)
  expect(ear).toMatchObject({ session: 's1', said: 'one', usage: { inputTokens: 30, outputTokens: 3, costUsd: 2 } })
})

/** Time stands still but for what the listener needs to hear all this. */
async function hearing(isHeard: () => boolean): Promise<void> {
  while (!isHeard()) {
    await vi.advanceTimersByTimeAsync(LOOK_MS)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const WAIT_MS = 600_000
/** The listener's next look, and the alarm. */
const isAlarmSet = (): boolean => vi.getTimerCount() === 2

describe('limits that are waited out', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  test('an agent that waits for too long is told of, once', async () => {
    const { ear, print, walls } = await listen({ quotaWaitMs: WAIT_MS })
    print({ kind: 'waits', failure: limit() })
    await hearing(isAlarmSet)
    expect(walls).toEqual([])
    await vi.advanceTimersByTimeAsync(2 * WAIT_MS)
    expect(walls).toEqual([limit()])
    await ear.judge(EXITED)
  })

  test('one that went on is not', async () => {
    const { ear, print, walls, decided } = await listen({ quotaWaitMs: WAIT_MS, probe: true })
    print({ kind: 'waits', failure: limit() })
    await hearing(isAlarmSet)
    print({ kind: 'answers' })
    await hearing(() => decided.length > 0)
    await vi.advanceTimersByTimeAsync(2 * WAIT_MS)
    expect(walls).toEqual([])
    await ear.judge(EXITED)
  })

  test('one that said when it would go on, and is silent since, is not', async () => {
    const { ear, print, walls } = await listen({ quotaWaitMs: WAIT_MS })
    print({ kind: 'waits', failure: limit(Date.now() + WAIT_MS / 2) })
    await hearing(isAlarmSet)
    await vi.advanceTimersByTimeAsync(2 * WAIT_MS)
    expect(walls).toEqual([])
    await ear.judge(EXITED)
  })
})

const tooLong: Entry = {
  kind: 'failed',
  failure: { kind: 'context_overflow', message: 'too long', retryAt: null },
}
const shortened: Entry = { kind: 'said', text: 'a summary' }
const REPEATED = [1, 2, 3, 4].flatMap(() => [tooLong, shortened])

test('a conversation that stays too long, however often it is shortened, is told of once', async () => {
  const { ear, print, walls } = await listen()
  print(...REPEATED, tooLong, shortened, tooLong)
  await ear.judge(EXITED)
  expect(walls).toEqual([tooLong.failure])
})

test('one that is shortened again and again as its agent works is not', async () => {
  const { ear, print, walls } = await listen()
  print(...REPEATED, { kind: 'called', tool: 'write', input: {} }, ...REPEATED)
  await ear.judge(EXITED)
  expect(walls).toEqual([])
})

test('the first answer reopens the account that its run was to try, once', async () => {
  const { ear, print, decided } = await listen({ probe: true })
  print({ kind: 'answers' }, { kind: 'said', text: 'here' })
  await ear.judge(EXITED)
  expect(decided).toMatchObject([{ verb: 'resume_account', input: { account: 'acme', probeRunId: runOf('a') } }])
  const other = await listen()
  other.print({ kind: 'answers' })
  await other.ear.judge(EXITED)
  expect(other.decided).toEqual([])
})
