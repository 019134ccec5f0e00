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

/** Longest time a writer lives after its first write: from the middle of its second to a checkpoint or two. */
const LIFE_MS = 60

/**
 * Writers are killed at a random moment, several at work at once. After each death the store opens and is sound, and
 * everything that was acknowledged, by the dead one and all before it, is there.
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
      const said = await killWriter(location)
      acknowledged.push(...said)
      faults.push(...(await inspect(location, said)))
    }
  }
  await Promise.all(Array.from({ length: lines }, line))
  faults.push(...(await inspect(location, acknowledged)))
  return { figures: { kills, writers: lines, acknowledged: acknowledged.length, lost: faults.length }, faults }
}

/** Lets a process write for a while and kills it; returns the writes it had reported. */
async function killWriter(location: StoreLocation): Promise<Acknowledged[]> {
  const [writer] = await startWorkers(location, 1)
  if (writer === undefined) return []
  const said: Acknowledged[] = []
  await new Promise<void>((resolve, reject) => {
    const hear = (note: unknown): void => {
      said.push(note as Acknowledged)
      resolve()
    }
    writer.run('write', { completes: true, says: true }, hear).catch(reject)
  })
  await sleep(Math.random() * LIFE_MS)
  await writer.kill()
  return said
}

/** Opens the store again for writing and looks for every reported write. */
async function inspect(location: StoreLocation, said: readonly Acknowledged[]): Promise<string[]> {
  const store = await openStore(location, { mode: 'write' })
  try {
    return [...(await examined(store)), ...(await missing(store, said))]
  } finally {
    await store.close()
  }
}

async function missing(store: Store, said: readonly Acknowledged[]): Promise<string[]> {
  const statuses = new Map<TaskId, string>((await store.tasks(BOARD)).map((task) => [task.id, task.status]))
  return said.flatMap(([kind, id]) => [
    ...unless(statuses.has(id), `${id} was acknowledged and is gone`),
    ...unless(kind === 'created' || statuses.get(id) === 'done', `${id} was finished and is ${statuses.get(id)}`),
  ])
}
