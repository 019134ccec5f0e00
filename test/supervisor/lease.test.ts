import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { BoardError } from '../../src/core/errors.ts'
import type { Store } from '../../src/storage/store.ts'
import { lastNudge } from '../../src/runs/files/run-directory.ts'
import { keepLease } from '../../src/supervisor/lease.ts'
import { runOf } from '../helpers/sample.ts'

type Renewal = Awaited<ReturnType<Store['renewLease']>>

/** A lease of 40 ms, renewed against a store that answers what it is told to. */
function watchLease(
  answer: () => Promise<Renewal>,
  how: { engine?: Store['engine']; leaseMs?: number; nudgedSinceGuard?: boolean } = {},
) {
  const { engine = 'sqlite', leaseMs = 40, nudgedSinceGuard = false } = how
  const folder = mkdtempSync(join(tmpdir(), 'muster-lease-'))
  const nudge = join(folder, 'nudge')
  writeFileSync(nudge, '')
  utimesSync(nudge, 1, 1)
  const nudgedAt = lastNudge({ nudge })
  if (nudgedSinceGuard) nudgeFile(nudge)
  const renewLease = vi.fn<() => Promise<Renewal>>(answer)
  const heard: string[] = []
  const lease = keepLease(
    {
      store: { engine, renewLease } as unknown as Store,
      ticket: { board: 'main' },
      fence: { runId: runOf('a'), tokenHash: 'f00d' },
      directory: { nudge },
      leaseMs,
      nudgedAt,
    },
    {
      isActive: () => false,
      onRenewed: () => {},
      onSuperseded: () => heard.push('superseded'),
      onIntent: () => heard.push('intent'),
      onCutOff: () => heard.push('cut off'),
    },
  )
  onTestFinished(() => {
    lease.stop()
    rmSync(folder, { recursive: true })
  })
  return { heard, renewLease, nudge: () => nudgeFile(nudge) }
}

const nudgeFile = (path: string): void => utimesSync(path, new Date(), new Date())

const held: Renewal = { leaseUntil: 1, leaseMs: 40, staleMs: 0, intent: null, lastActivityAt: 1 }

test('the lease is renewed again and again', async () => {
  const { heard, renewLease } = watchLease(async () => held)
  await expect.poll(() => renewLease.mock.calls.length).toBeGreaterThan(2)
  expect(heard).toEqual([])
})

test('a stale fence is told', async () => {
  const { heard } = watchLease(async () => null)
  await expect.poll(() => heard).toContain('superseded')
})

test('a nudge makes it look at once', async () => {
  const { heard, nudge } = watchLease(async () => ({ ...held, intent: {} as never }), { leaseMs: 3_600_000 })
  nudge()
  await expect.poll(() => heard).toEqual(['intent'])
})

test('a nudge between the guard and the first watch is not missed', async () => {
  const intent = async (): Promise<Renewal> => ({ ...held, intent: {} as never })
  const { heard } = watchLease(intent, { leaseMs: 3_600_000, nudgedSinceGuard: true })
  await expect.poll(() => heard).toEqual(['intent'])
})

test('a server that cannot be reached for most of a lease cuts the run off', async () => {
  const unreachable = () => Promise.reject(new BoardError('store_unreachable', 'gone'))
  const { heard } = watchLease(unreachable, { engine: 'postgres' })
  await expect.poll(() => heard).toContain('cut off')
})

test('an embedded store that is busy never does: nobody else could take the run', async () => {
  const { heard, renewLease } = watchLease(() => Promise.reject(new BoardError('store_busy', 'busy')))
  await expect.poll(() => renewLease.mock.calls.length).toBeGreaterThan(6)
  expect(heard).toEqual([])
})

const never = <T>(): Promise<T> => new Promise(() => {})

test('a server that takes every question and answers none cuts the run off, and is asked on', async () => {
  const { heard, renewLease } = watchLease(never, { engine: 'postgres' })
  await expect.poll(() => heard).toEqual(['cut off'])
  // A busy machine may come to both at once, and to the end of the lease first.
  await expect.poll(() => renewLease.mock.calls.length).toBeGreaterThan(1)
})

test('one question that is never answered cuts nothing off while the next ones are', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const answers = [never<Renewal>]
  const answer = (): Promise<Renewal> => answers.shift()?.() ?? Promise.resolve(held)
  const { heard, renewLease } = watchLease(answer, { engine: 'postgres', leaseMs: 400 })
  await vi.advanceTimersByTimeAsync(4_000)
  expect(renewLease.mock.calls.length).toBeGreaterThan(30)
  expect(heard).toEqual([])
})
