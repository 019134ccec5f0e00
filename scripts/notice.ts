/** Tests whether the simulator finds a mutation of the code. */
import { bundleSimulator } from '../test/simulator/bundle.ts'
import type { Order } from '../test/simulator/entry.ts'
import { simulateAll } from '../test/simulator/pool.ts'
import type { Mutation } from './mutations.ts'

/** The maximum number of steps until all cards have finished after the faults. Idle machines take most of them. */
export const REST = 200_000

export interface Seeds {
  readonly from: number
  readonly seeds: number
  readonly steps: number
}

/** Enough seeds to find every mutation. */
export const ENOUGH: Seeds = { from: 1, seeds: 400, steps: 1000 }

export function* ordersFor({ from, seeds, steps }: Seeds): Generator<Order> {
  for (let seed = from; seed < from + seeds; seed += 1) yield { seed, steps, rest: REST, traced: false }
}

interface Noticed {
  readonly seed: number
  readonly violation: string
}

/** Returns the first seed that breaks an invariant with this mutation, and the violation; null if there is none. */
export async function notice(mutation: Omit<Mutation, 'tests'>, seeds: Seeds): Promise<string | null> {
  const found = await firstViolation(await bundleSimulator(mutation), seeds)
  if (found === null) return null
  const { seed, violation } = found
  if ((await firstViolation(await bundleSimulator(), { ...seeds, from: seed, seeds: 1 })) !== null)
    throw new Error(`seed ${seed} fails without a mutation: npm run simulate -- --seed ${seed}`)
  return `seed ${seed}: ${violation}`
}

async function firstViolation(path: string, seeds: Seeds): Promise<Noticed | null> {
  const found: Noticed[] = []
  await simulateAll({
    path,
    orders: ordersFor(seeds),
    onAnswer: ({ report: { seed, violations } }) => {
      if (violations[0] !== undefined) found.push({ seed, violation: violations[0] })
      return found.length === 0
    },
  })
  return found[0] ?? null
}
