/**
 * Whoever follows a card may come before its agent: look for a log → there is one: give it · there will be none: say so ·
 * else tell what is waited for, once, and wait for the store → look …
 */
import { makeAlarmClock } from '../../util/alarm-clock.ts'
import { findLog, seekLog } from './find-log.ts'
import type { AskedLog, ComingLog, FoundLog } from './find-log.ts'
import { whenAnswered } from '../boards/follow.ts'
import type { StreamContext } from '../shared/operation.ts'

/** Changes are heard; this is for those that are not, and for the folder of a run, which comes after its claim. */
const LOOK_MS = 500

/** Null: it was ended before there was one. */
export async function awaitLog(context: StreamContext, asked: AskedLog, follow: boolean): Promise<FoundLog | null> {
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
  { asked, first, sleep }: { asked: AskedLog; first: ComingLog; sleep: () => Promise<void> },
): Promise<FoundLog | null> {
  const { store, options, signal, onWait } = context
  // What was typed may stand for more than one card by then.
  const same = { ...asked, task: first.task }
  onWait?.(`${first.fault.message} Waiting for one: muster why ${first.task} tells what keeps it.`)
  while (!signal.aborted) {
    const found = await whenAnswered(context, () => seekLog(store, same, options))
    if (found !== null && !('fault' in found)) return found
    await sleep()
  }
  return null
}
