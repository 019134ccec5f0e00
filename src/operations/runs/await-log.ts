/**
 * Waits for the log of a card that may not have started: look for a log → found: return it · impossible: fail ·
 * else report once what it waits for, and wait for the store → look …
 */
import { makeAlarmClock } from '../../util/alarm-clock.ts'
import { findLog, seekLog } from './find-log.ts'
import type { LogQuery, PendingLog, FoundLog } from './find-log.ts'
import { nullIfUnavailable } from '../boards/follow.ts'
import type { StreamContext } from '../shared/operation.ts'

/** Polling, in case a change notification is missed, and for the run folder, which is made after the claim. */
const LOOK_MS = 500

/** Null: aborted before a log existed. */
export async function awaitLog(context: StreamContext, asked: LogQuery, follow: boolean): Promise<FoundLog | null> {
  const { store, options, signal } = context
  if (!follow) return findLog(store, asked, options)
  const first = await seekLog(store, asked, options)
  if (!('fault' in first)) return first
  const clock = makeAlarmClock()
  signal.addEventListener('abort', clock.ring)
  const watcher = await store.watch(clock.ring)
  try {
    return await whenFound(context, { asked, first, sleep: () => clock.sleep(LOOK_MS) })
  } finally {
    signal.removeEventListener('abort', clock.ring)
    await watcher.stop()
  }
}

async function whenFound(
  context: StreamContext,
  { asked, first, sleep }: { asked: LogQuery; first: PendingLog; sleep: () => Promise<void> },
): Promise<FoundLog | null> {
  const { store, options, signal, onWait } = context
  // The typed prefix may match more cards by now.
  const same = { ...asked, task: first.task }
  onWait?.(`${first.fault.message} Waiting for one: muster why ${first.task} tells what keeps it.`)
  while (!signal.aborted) {
    const found = await nullIfUnavailable(context, () => seekLog(store, same, options))
    if (found !== null && !('fault' in found)) return found
    await sleep()
  }
  return null
}
