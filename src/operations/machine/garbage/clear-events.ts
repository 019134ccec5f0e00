import type { GcContext } from './gc-context.ts'

/** Deletes old events in small steps, so that other processes can write in between. */
export async function clearEvents({ store, board, now, eventsOlderMs, apply }: GcContext): Promise<number> {
  let events = 0
  for (let after: number | null = 0; after !== null;) {
    const step = await store.sweepEvents({ before: now - eventsOlderMs, board, after, remove: apply })
    events += step.events
    after = step.next
  }
  return events
}
