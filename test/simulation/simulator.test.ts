// Runs a part of `npm run simulate` with fixed seeds, so the same code passes or fails on every machine. For other
// seeds, run `npm run simulate -- --seeds <n>`.
import { beforeAll, describe, expect, test } from 'vitest'
import { MUTATIONS, RUN_MUTATIONS } from '../../scripts/mutations.ts'
import { bundleSimulator } from '../simulator/bundle.ts'
import type { Order } from '../simulator/entry.ts'
import { simulateAll } from '../simulator/pool.ts'
import { Tally } from '../simulator/tally.ts'
import type { SeedReport } from '../simulator/world.ts'

const LENGTH = { steps: 400, rest: 200_000, traced: false }
const SEEDS = 24

/**
 * The maximum number of steps of a board with a bug. Boards without a bug finish in half as many steps, and a board
 * with a bug often never finishes.
 */
const REST_WITH_BUG = 60_000

function* ordersFrom(first: number, count: number, length: Partial<Order> = {}): Generator<Order> {
  for (let seed = first; seed < first + count; seed += 1) yield { seed, ...LENGTH, ...length }
}

let path: string
beforeAll(async () => {
  path = await bundleSimulator()
})

test('the board keeps its invariants under every simulated fault', async () => {
  const tally = new Tally()
  await simulateAll({
    path,
    orders: ordersFrom(1, SEEDS),
    onAnswer: ({ report }) => {
      tally.add(report)
      return tally.violations.length === 0
    },
  })
  console.log(tally.toString())
  expect(tally.violations).toEqual([])
  expect(tally.unseenFaults()).toEqual([])
})

test('a seed repeats its simulation step by step', async () => {
  const prints: string[] = []
  const orders = [7, 8, 7].map((seed) => ({ seed, ...LENGTH, steps: 100 }))
  await simulateAll({
    path,
    orders,
    onAnswer: ({ fingerprint }) => {
      prints.push(fingerprint)
      return true
    },
    workers: 1,
  })
  expect(prints[2]).toBe(prints[0])
  expect(prints[1]).not.toBe(prints[0])
})

test('a month of recurring cards keeps exact times despite clock changes, sleep and crashes', async () => {
  const reports: SeedReport[] = []
  await simulateAll({
    path,
    orders: [{ seed: 1, ...LENGTH, month: true }],
    onAnswer: ({ report }) => {
      reports.push(report)
      return true
    },
  })
  for (const { violations, cards, faults } of reports) {
    expect(violations).toEqual([])
    expect(cards).toBeGreaterThan(800)
    expect(faults.get('crash of a dispatcher')).toBeGreaterThan(20)
  }
}, 240_000)

describe('a mutation of the code', () => {
  const quick = [
    'record the wrong event for a completion',
    'settle a run before its processes are dead',
    'settle a live run as lost',
  ]
  test.each([...MUTATIONS, ...RUN_MUTATIONS].filter(({ name }) => quick.includes(name)))(
    'the simulator finds a mutation: $name',
    async (mutation) => {
      let noticed = false
      await simulateAll({
        path: await bundleSimulator(mutation),
        orders: ordersFrom(1, SEEDS, { rest: REST_WITH_BUG }),
        onAnswer: ({ report }) => {
          noticed ||= report.violations.length > 0
          return !noticed
        },
      })
      expect(noticed).toBe(true)
    },
    60_000,
  )
})
