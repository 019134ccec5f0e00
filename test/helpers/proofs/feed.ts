import type { StoreLocation } from '../../../src/storage/location.ts'
import type { Store } from '../../../src/storage/store.ts'
import { withWorkers } from '../processes.ts'
import { examined, unless } from './proof.ts'
import type { Proof } from './proof.ts'

/**
 * Readers follow the feed while many callers write. Each reader must see every event once, and all readers must see the
 * same order.
 */
export async function proveFeed(
  location: StoreLocation,
  store: Store,
  size: { writers: number; callers: number; readers: number; cards: number },
): Promise<Proof> {
  const { cursor } = await store.feed(null)
  const { written, seen } = await withWorkers(location, size.writers + size.readers, async (workers) => {
    const readers = workers.slice(0, size.readers)
    const following = readers.map((reader) => reader.run('follow', { cursor }))
    const count = Math.ceil(size.cards / size.writers)
    const reports = await Promise.all(
      workers
        .slice(size.readers)
        .map((writer) => writer.run('write', { count, callers: size.callers, completes: true })),
    )
    for (const reader of readers) reader.stop()
    return {
      written: reports.reduce((sum, report) => sum + report.created.length + report.completed.length, 0),
      seen: await Promise.all(following),
    }
  })
  const first = Number(cursor.split(':')[1])
  const { event: events = [] } = await store.exportAll()
  const expected = events.map((event) => Number(event.id)).filter((id) => id > first)
  const faults = seen.flatMap(({ ids, resyncs }, at) => [
    ...unless(resyncs === 0, `reader ${at} had to read the whole board again`),
    ...unless(isSame(ids, expected), `reader ${at}: ${describe(ids, expected)}`),
  ])
  faults.push(...unless(expected.length === written, `${expected.length} events for ${written} commits`))
  faults.push(...(await examined(store)))
  const pages = seen.reduce((sum, reader) => sum + reader.pages, 0)
  return { figures: { callers: size.writers * size.callers, readers: size.readers, events: written, pages }, faults }
}

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, at) => value === b[at])

function describe(ids: readonly number[], expected: readonly number[]): string {
  const unique = new Set(ids)
  const missed = expected.filter((id) => !unique.has(id))
  const repeated = ids.length - unique.size
  return `${missed.length} events missed (${missed.slice(0, 5).join(', ')}), ${repeated} repeated, or a different order`
}
