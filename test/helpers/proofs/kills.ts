import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskId } from '../../../src/core/ids.ts'
import type { StoreLocation } from '../../../src/storage/location.ts'
import { openStore } from '../../../src/storage/open.ts'
import type { Store } from '../../../src/storage/store.ts'
import type { Acknowledged } from '../../fixtures/store-worker-jobs.ts'
import { BOARD } from '../places.ts'
import { startWorkers } from '../processes.ts'
import { examined, unless } from './proof.ts'
import type { Proof } from './proof.ts'

/**
 * The longest time that a writer lives after its first write. With this time, a kill can hit any moment from the second
 * write to the second checkpoint.
 */
const LIFE_MS = 60

/**
 * Several writers work at once, and each is killed at a random moment. After each kill the store must open, be sound,
 * and contain every acknowledged write.
 */
export async function proveKills(
  location: StoreLocation,
  { kills, lines }: { kills: number; lines: number },
): Promise<Proof> {
  const acknowledged: Acknowledged[] = []
  const faults: string[] = []
  let left = kills
  const line = async (): Promise<void> => {
    while (left-- > 0) {
      const reported = await killWriter(location)
      acknowledged.push(...reported)
      faults.push(...(await inspect(location, reported)))
    }
  }
  await Promise.all(Array.from({ length: lines }, line))
  faults.push(...(await inspect(location, acknowledged)))
  return { figures: { kills, writers: lines, acknowledged: acknowledged.length, lost: faults.length }, faults }
}

/** Lets a process write for a while and kills it. Returns the acknowledged writes. */
async function killWriter(location: StoreLocation): Promise<Acknowledged[]> {
  const [writer] = await startWorkers(location, 1)
  if (writer === undefined) return []
  const reported: Acknowledged[] = []
  await new Promise<void>((resolve, reject) => {
    const onNote = (note: unknown): void => {
      reported.push(note as Acknowledged)
      resolve()
    }
    writer.run('write', { completes: true, reports: true }, onNote).catch(reject)
  })
  await sleep(Math.random() * LIFE_MS)
  await writer.kill()
  return reported
}

/** Opens the store again for writing and checks every acknowledged write. */
async function inspect(location: StoreLocation, reported: readonly Acknowledged[]): Promise<string[]> {
  const store = await openStore(location, { mode: 'write' })
  try {
    return [...(await examined(store)), ...(await missing(store, reported))]
  } finally {
    await store.close()
  }
}

async function missing(store: Store, reported: readonly Acknowledged[]): Promise<string[]> {
  const statuses = new Map<TaskId, string>((await store.tasks(BOARD)).map((task) => [task.id, task.status]))
  return reported.flatMap(([kind, id]) => [
    ...unless(statuses.has(id), `${id} was acknowledged and is missing`),
    ...unless(kind === 'created' || statuses.get(id) === 'done', `${id} was completed and is ${statuses.get(id)}`),
  ])
}
