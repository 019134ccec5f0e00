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

/** Keeps a lease of 40 ms with a store that answers with `answer`. */
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
  const reported: string[] = []
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
      onSuperseded: () => reported.push('superseded'),
      onIntent: () => reported.push('intent'),
      onCutOff: () => reported.push('cut off'),
    },
  )
  onTestFinished(() => {
    lease.stop()
    rmSync(folder, { recursive: true })
  })
  return { reported, renewLease, nudge: () => nudgeFile(nudge) }
}

const nudgeFile = (path: string): void => utimesSync(path, new Date(), new Date())

const held: Renewal = { leaseUntil: 1, leaseMs: 40, staleMs: 0, intent: null, lastActivityAt: 1 }

test('the supervisor renews its lease repeatedly', async () => {
  const { reported, renewLease } = watchLease(async () => held)
  await expect.poll(() => renewLease.mock.calls.length).toBeGreaterThan(2)
  expect(reported).toEqual([])
})

test('a renewal with a stale fence is reported as superseded', async () => {
  const { reported } = watchLease(async () => null)
  await expect.poll(() => reported).toContain('superseded')
})

test('a nudge renews the lease at once', async () => {
  const { reported, nudge } = watchLease(async () => ({ ...held, intent: {} as never }), { leaseMs: 3_600_000 })
  nudge()
  await expect.poll(() => reported).toEqual(['intent'])
})

test('a nudge before the first renewal of the lease is not missed', async () => {
  const intent = async (): Promise<Renewal> => ({ ...held, intent: {} as never })
  const { reported } = watchLease(intent, { leaseMs: 3_600_000, nudgedSinceGuard: true })
  await expect.poll(() => reported).toEqual(['intent'])
})

test('a run is cut off if its server is unreachable for most of a lease', async () => {
  const unreachable = () => Promise.reject(new BoardError('store_unreachable', 'gone'))
  const { reported } = watchLease(unreachable, { engine: 'postgres' })
  await expect.poll(() => reported).toContain('cut off')
})

test('a run is never cut off because its SQLite store is busy', async () => {
  const { reported, renewLease } = watchLease(() => Promise.reject(new BoardError('store_busy', 'busy')))
  await expect.poll(() => renewLease.mock.calls.length).toBeGreaterThan(6)
  expect(reported).toEqual([])
})

const never = <T>(): Promise<T> => new Promise(() => {})

test('a run is cut off if its server never answers, and renewals continue', async () => {
  const { reported, renewLease } = watchLease(never, { engine: 'postgres' })
  await expect.poll(() => reported).toEqual(['cut off'])
  // On a busy machine, the run may be cut off before the second renewal.
  await expect.poll(() => renewLease.mock.calls.length).toBeGreaterThan(1)
})

test('a run is not cut off because of a single unanswered renewal', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const answers = [never<Renewal>]
  const answer = (): Promise<Renewal> => answers.shift()?.() ?? Promise.resolve(held)
  const { reported, renewLease } = watchLease(answer, { engine: 'postgres', leaseMs: 400 })
  await vi.advanceTimersByTimeAsync(4_000)
  expect(renewLease.mock.calls.length).toBeGreaterThan(30)
  expect(reported).toEqual([])
})
