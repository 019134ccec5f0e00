import { setTimeout as sleep } from 'node:timers/promises'
import { asBoardError } from '../../../src/core/errors.ts'
import { applyPlan } from '../../../src/planning/plans/apply-plan.ts'
import { CARDS_IN_PLAN } from '../../../src/planning/plans/plan.ts'
import type { StoreLocation } from '../../../src/storage/location.ts'
import { openStore } from '../../../src/storage/open.ts'
import type { ListedTask, Store } from '../../../src/storage/store.ts'
import { samplePlan } from '../../fixtures/sample-plan.ts'
import { BOARD } from '../places.ts'
import { startWorkers } from '../processes.ts'
import { examined, unless } from './proof.ts'
import type { Proof } from './proof.ts'

/** The longest time that a process lives after its first split. */
const LIFE_MS = 60

/**
 * A process splits cards into graphs of twelve cards, and is killed at a random moment. After each kill, each card is
 * either still in triage without any card of its graph, or split into the whole graph. Then the last plan is applied
 * again, as a person would do who saw no answer. A card that is already split refuses this.
 */
export async function proveSplits(location: StoreLocation, { kills }: { readonly kills: number }): Promise<Proof> {
  const faults: string[] = []
  const figures = { splits: 0, 'killed before the commit': 0, 'refused again': 0 }
  for (let kill = 0; kill < kills; kill += 1) {
    await killSplitter(location)
    const store = await openStore(location, { mode: 'write' })
    try {
      faults.push(...(await inspect(store)))
      figures[(await applyAgain(store)) ? 'killed before the commit' : 'refused again'] += 1
      const found = await inspect(store)
      faults.push(...found, ...(await examined(store)))
      figures.splits = (await rootsOf(store)).filter(({ status }) => status === 'todo').length
    } finally {
      await store.close()
    }
  }
  return { figures: { kills, ...figures, faults: faults.length }, faults }
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

const rootsOf = async (store: Store): Promise<readonly ListedTask[]> =>
  (await store.tasks(BOARD)).filter(({ title }) => title.startsWith('root '))

/** Applies a plan to the newest card again. Returns false if the card refuses it, because it is split. */
async function applyAgain(store: Store): Promise<boolean> {
  const newest = (await rootsOf(store)).toSorted((a, b) => a.createdAt - b.createdAt).at(-1)
  if (newest === undefined) throw new Error('no card was created')
  const plan = samplePlan(newest.id, CARDS_IN_PLAN)
  try {
    await applyPlan(plan, { store, task: newest, actor: { kind: 'person', name: 'ada' }, home: '/nowhere' })
    return true
  } catch (error) {
    if (asBoardError(error).code === 'wrong_status' && newest.status === 'todo') return false
    throw error
  }
}

async function inspect(store: Store): Promise<readonly string[]> {
  const tasks = await store.tasks(BOARD)
  const parts = new Map<string, number>()
  for (const { title } of tasks)
    if (title.startsWith('part ')) parts.set(title.slice(5), (parts.get(title.slice(5)) ?? 0) + 1)
  return (await rootsOf(store)).flatMap(({ id, status, parents }) => {
    const count = parts.get(id) ?? 0
    const isWhole = status === 'todo' && count === CARDS_IN_PLAN && parents.length === CARDS_IN_PLAN
    const isUntouched = status === 'triage' && count === 0 && parents.length === 0
    return unless(isWhole || isUntouched, `${id} is ${status} with ${count} parts and ${parents.length} parents`)
  })
}
