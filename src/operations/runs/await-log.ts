/**
 * Waits for the log of a card that has perhaps not started. The function looks for a log after each change of the
 * store, and reports once that it waits. If the card can never have a log, it throws an error.
 */
import { makeAlarmClock } from '../../util/alarm-clock.ts'
import { findLog, seekLog } from './find-log.ts'
import type { LogQuery, PendingLog, FoundLog } from './find-log.ts'
import { waitsForLog } from './log-wait.ts'
import { nullIfUnavailable } from '../boards/follow.ts'
import type { StreamContext } from '../shared/operation.ts'

/**
 * The time between two polls. A poll finds a change whose notification was lost, and the run folder, which is created
 * after the claim.
 */
const POLL_MS = 500

/** Returns the log. Returns null if the wait was aborted before a log existed. */
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
  // The prefix that the user typed may match more cards later. So the whole id is used from now on.
  const same = { ...asked, task: first.task }
  onWait?.(waitsForLog(first.fault.message, first.task))
  while (!signal.aborted) {
    const found = await nullIfUnavailable(context, () => seekLog(store, same, options))
    if (found !== null && !('fault' in found)) return found
    await sleep()
  }
  return null
}
