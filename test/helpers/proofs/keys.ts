import type { StoreLocation } from '../../../src/storage/location.ts'
import type { Store } from '../../../src/storage/store.ts'
import { newTaskId } from '../../../src/util/mint.ts'
import { BOARD } from '../places.ts'
import { withWorkers } from '../processes.ts'
import { command, countBy, unless } from './proof.ts'
import type { Proof } from './proof.ts'

/**
 * Many processes create a card with the same idempotency key. Only one card may result, and each process must get the
 * id of this card.
 */
export async function proveKeys(
  location: StoreLocation,
  store: Store,
  { processes, rounds }: { processes: number; rounds: number },
): Promise<Proof> {
  const faults: string[] = []
  let foundInAll = 0
  await withWorkers(location, processes, async (workers) => {
    for (let round = 0; round < rounds; round++) {
      const key = `key ${round}`
      const answers = await Promise.all(
        workers.map((worker) =>
          worker.run('decide', {
            command: command('create', { cards: [{ id: newTaskId(), title: 'Once', idempotencyKey: key }] }),
          }),
        ),
      )
      const results = answers.flatMap((answer) =>
        answer.ok ? [answer.result as { ids: readonly string[]; created: boolean }] : [],
      )
      const ids = new Set(results.flatMap((result) => result.ids))
      const { true: made = 0, false: found = 0 } = countBy(results, (result) => String(result.created))
      foundInAll += found
      faults.push(
        ...unless(made === 1, `${key}: ${made} processes created the card`),
        ...unless(found === processes - 1, `${key}: ${found} processes found an existing card`),
        ...unless(ids.size === 1, `${key}: the answers name ${ids.size} different cards`),
      )
    }
  })
  const tasks = await store.tasks(BOARD)
  faults.push(...unless(tasks.length === rounds, `${tasks.length} cards for ${rounds} keys`))
  return { figures: { processes, keys: rounds, cards: tasks.length, 'found an existing card': foundInAll }, faults }
}
