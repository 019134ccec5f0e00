import type { Round } from './round.ts'

/** Step by step: between two of them every writer has its turn. */
export async function clearEvents({ store, board, now, eventsOlderMs, apply }: Round): Promise<number> {
  let events = 0
  for (let after: number | null = 0; after !== null;) {
    const step = await store.sweepEvents({ before: now - eventsOlderMs, board, after, remove: apply })
    events += step.events
    after = step.next
  }
  return events
}
