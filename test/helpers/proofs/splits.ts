import { setTimeout as sleep } from 'node:timers/promises'
import { CARDS_IN_PLAN } from '../../../src/planning/plans/plan.ts'
import type { StoreLocation } from '../../../src/storage/location.ts'
import { openStore } from '../../../src/storage/open.ts'
import type { Store } from '../../../src/storage/store.ts'
import { BOARD } from '../places.ts'
import { startWorkers } from '../processes.ts'
import { examined, unless } from './proof.ts'
import type { Proof } from './proof.ts'

/** The longest time that a process lives after its first split. */
const LIFE_MS = 60

/**
 * A process splits cards into graphs of twelve cards, and is killed at a random moment. After each kill, each card is
 * either still in triage without any card of its graph, or split into the whole graph, and never twice.
 */
export async function proveSplits(location: StoreLocation, { kills }: { readonly kills: number }): Promise<Proof> {
  const faults: string[] = []
  let splits = 0
  for (let kill = 0; kill < kills; kill += 1) {
    await killSplitter(location)
    const store = await openStore(location, { mode: 'write' })
    try {
      const found = await inspect(store)
      splits = found.splits
      faults.push(...found.faults, ...(await examined(store)))
    } finally {
      await store.close()
    }
  }
  return { figures: { kills, splits, faults: faults.length }, faults }
}

async function killSplitter(location: StoreLocation): Promise<void> {
  const [worker] = await startWorkers(location, 1)
  if (worker === undefined) return
  await new Promise<void>((resolve, reject) => {
    worker.run('split', { cards: CARDS_IN_PLAN }, () => resolve()).catch(reject)
  })
  await sleep(Math.random() * LIFE_MS)
  await worker.kill()
}

async function inspect(store: Store): Promise<{ readonly splits: number; readonly faults: readonly string[] }> {
  const tasks = await store.tasks(BOARD)
  const roots = tasks.filter(({ title }) => title.startsWith('root '))
  const parts = new Map<string, number>()
  for (const { title } of tasks)
    if (title.startsWith('part ')) parts.set(title.slice(5), (parts.get(title.slice(5)) ?? 0) + 1)
  const faults = roots.flatMap(({ id, status, parents }) => {
    const count = parts.get(id) ?? 0
    const isWhole = status === 'todo' && count === CARDS_IN_PLAN && parents.length === CARDS_IN_PLAN
    const isUntouched = status === 'triage' && count === 0 && parents.length === 0
    return unless(isWhole || isUntouched, `${id} is ${status} with ${count} parts and ${parents.length} parents`)
  })
  return { splits: roots.filter(({ status }) => status === 'todo').length, faults }
}
