import { expect, test, vi } from 'vitest'
import { BoardError } from '../../src/core/errors.ts'
import type { Store } from '../../src/storage/store.ts'
import { wasCutOff } from '../../src/runs/files/exit-file.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import { tryBriefly } from '../../src/supervisor/retry.ts'
import { endGroup } from '../../src/supervisor/end-group.ts'
import type { SupervisedRun } from '../../src/supervisor/supervised-run.ts'
import { card, runOf } from '../helpers/sample.ts'
import { testFolder } from '../helpers/stores.ts'
import { tableOf } from '../processes/process-table.ts'

const leader = { pid: 100, startTime: '1' }

/** Makes a run whose only process ends after a signal, and whose store answers with `decide`. */
function runWith(decide: () => Promise<unknown>, folder = '/no/such/run') {
  const processes = tableOf([{ pid: 100 }], (table, pid) => table.remove(pid))
  const owned = {
    store: { decide } as unknown as Store,
    host: { processes },
    directory: runDirectoryAt(folder),
    fence: { runId: runOf('a'), tokenHash: 'f00d' },
    ticket: { board: 'main', task: card('a'), terminateGraceMs: 50, killWaitMs: 50 },
  } as unknown as SupervisedRun
  return { owned, processes }
}

test('the run is marked as terminating before the signal', async () => {
  const decide = vi.fn<() => Promise<unknown>>(async () => ({ ok: true, sent: processes.sent.length }))
  const { owned, processes } = runWith(decide)
  await endGroup(owned, leader, 'timed_out')
  expect(await decide.mock.results[0]?.value).toEqual({ ok: true, sent: 0 })
  expect(processes.sent).toEqual([{ pid: 100, signal: 'SIGTERM' }])
})

test('the run directory records that Muster ended the agent, even without the store', async () => {
  const folder = testFolder()
  const { owned } = runWith(() => Promise.reject(new BoardError('store_unreachable', 'gone')), folder)
  await endGroup(owned, leader, 'timed_out')
  expect(await wasCutOff(runDirectoryAt(folder))).toBe(true)
})

// These tests run at the same time, because each test waits for the timeout of the store.
test.concurrent.each([
  ['does not answer', () => new Promise(() => {})],
  ['cannot be reached', () => Promise.reject(new BoardError('store_unreachable', 'gone'))],
  ['is broken', () => Promise.reject(new BoardError('store_corrupt', 'torn'))],
])('processes are ended even if the store %s', async (_, decide) => {
  const { owned, processes } = runWith(decide)
  await endGroup(owned, leader, 'timed_out')
  expect(processes.sent).toEqual([{ pid: 100, signal: 'SIGTERM' }])
})

test.concurrent('tryBriefly retries a temporary error and gives up silently', async () => {
  let tries = 0
  const failing = async (): Promise<void> => {
    tries += 1
    throw new BoardError('store_busy', 'busy')
  }
  await tryBriefly(failing, 1_000)
  expect(tries).toBeGreaterThan(1)
})

test.concurrent('a process that cannot be killed at first is reported once, and killed later', async () => {
  const reported: unknown[] = []
  let isUnkillable = true
  const processes = tableOf(
    [{ pid: 100 }],
    (table, pid, signal) => !isUnkillable && signal === 'SIGKILL' && table.remove(pid),
  )
  const { owned } = runWith(async () => ({ ok: true }))
  const store = {
    decide: async ({ input }: { input: { survivors: readonly number[] } }) => {
      reported.push(input.survivors)
      if (input.survivors.length > 0) isUnkillable = false
      return { ok: true }
    },
  } as unknown as Store
  await endGroup({ ...owned, store, host: { ...owned.host, processes } }, leader, 'timed_out')
  expect(reported).toEqual([[], [100]])
  expect(processes.list()).toEqual([])
})
