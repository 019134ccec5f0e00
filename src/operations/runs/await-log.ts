/**
 * Waits for the log of a card that might not have started:
 *   look for a log → found: return it · impossible: fail · else report once that it waits, and wait for the store → look …
 */
import { makeAlarmClock } from '../../util/alarm-clock.ts'
import { findLog, seekLog } from './find-log.ts'
import type { LogQuery, PendingLog, FoundLog } from './find-log.ts'
import { nullIfUnavailable } from '../boards/follow.ts'
import type { StreamContext } from '../shared/operation.ts'

/**
 * The time between two polls. They find a change whose notification was missed, and the run folder, which is created
 * after the claim.
 */
const POLL_MS = 500

/** Returns null if the wait was aborted before a log existed. */
export async function awaitLog(context: StreamContext, asked: LogQuery, follow: boolean): Promise<FoundLog | null> {
  const { store, options, signal } = context
  if (!follow) return findLog(store, asked, options)
  const first = await seekLog(store, asked, options)
  if (!('fault' in first)) return first
  const clock = makeAlarmClock()
  signal.addEventListener('abort', clock.ring)
  const watcher = await store.watch(clock.ring)
  try {
    return await waitForLog(context, { asked, first, sleep: () => clock.sleep(POLL_MS) })
  } finally {
    signal.removeEventListener('abort', clock.ring)
    await watcher.stop()
  }
}

async function waitForLog(
  context: StreamContext,
  { asked, first, sleep }: { asked: LogQuery; first: PendingLog; sleep: () => Promise<void> },
): Promise<FoundLog | null> {
  const { store, options, signal, onWait } = context
  // The typed prefix may match more cards later, so the whole id is used from now on.
  const same = { ...asked, task: first.task }
  onWait?.(`${first.fault.message} Waiting for it. To see why: muster why ${first.task}`)
  while (!signal.aborted) {
    const found = await nullIfUnavailable(context, () => seekLog(store, same, options))
    if (found !== null && !('fault' in found)) return found
    await sleep()
  }
  return null
}
