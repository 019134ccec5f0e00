/**
 * npm run simulate -- [--seeds n] [--from n] [--steps n]: simulates this many boards, each with its own faults. Prints
 * counts and violations. The exit code is 1 if there are violations or a kind of fault never happened. `--seed n` replays
 * one seed and prints every step. `--mutations [--only words]` prints for each mutation the seed that finds it.
 */
import { parseArgs } from 'node:util'
import { bundleSimulator } from '../test/simulator/bundle.ts'
import { simulateAll } from '../test/simulator/pool.ts'
import { Tally } from '../test/simulator/tally.ts'
import { MUTATIONS, RUN_MUTATIONS } from './mutations.ts'
import { REST, notice, ordersFor } from './notice.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    steps: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    /** Applies each mutation of mutations.ts instead, and reports whether the simulator finds it. */
    mutations: { type: 'boolean', default: false },
    /** Only mutations whose name contains this text. */
    only: { type: 'string', default: '' },
  },
})
const [seeds, from, steps] = [Number(values.seeds), Number(values.seed ?? values.from), Number(values.steps)]
if (![seeds, from, steps].every((value) => Number.isSafeInteger(value) && value > 0)) {
  console.error('usage: npm run simulate -- [--seeds n] [--from n] [--steps n] [--seed n]')
  process.exitCode = 2
} else if (values.seed !== undefined) await replay(from)
else if (values.mutations) await noticeAll()
else await simulateMany()

async function replay(seed: number): Promise<void> {
  const orders = [{ seed, steps, rest: REST, traced: true }]
  await simulateAll({
    path: await bundleSimulator(),
    orders,
    onAnswer: ({ report, trace, fingerprint }) => {
      for (const line of trace) console.log(line)
      for (const violation of report.violations) console.log(`✗ ${violation}`)
      console.log(`seed ${seed}: ${report.steps} steps, ${report.violations.length} violations, trace ${fingerprint}`)
      if (report.violations.length > 0) process.exitCode = 1
      return true
    },
    workers: 1,
  })
}

async function simulateMany(): Promise<void> {
  const tally = new Tally()
  await simulateAll({
    path: await bundleSimulator(),
    orders: ordersFor({ from, seeds, steps }),
    onAnswer: ({ report }) => {
      tally.add(report)
      for (const violation of report.violations.slice(0, 1)) console.log(`✗ seed ${report.seed}: ${violation}`)
      if (process.stdout.isTTY || tally.seeds % 100 === 0) process.stderr.write(`${tally.seeds} of ${seeds}\r`)
      return true
    },
  })
  console.log(`\n${tally.toString()}`)
  const wrong = tally.violations.length > 0 || tally.missing().length > 0
  if (wrong) process.exitCode = 1
  if (tally.violations.length > 0) console.log('To replay a seed: npm run simulate -- --seed <seed>')
}

async function noticeAll(): Promise<void> {
  const all = [...MUTATIONS.filter(({ unseenBySimulator }) => !unseenBySimulator), ...RUN_MUTATIONS]
  const chosen = all.filter(({ name }) => name.includes(values.only))
  let missed = 0
  for (const mutation of chosen) {
    const found = await notice(mutation, { from, seeds, steps })
    if (found === null) missed += 1
    console.log(found === null ? `MISSED   ${mutation.name}` : `found    ${mutation.name.padEnd(46)} ${found}`)
  }
  console.log(`${chosen.length - missed} of ${chosen.length} found`)
  if (missed > 0 || chosen.length === 0) process.exitCode = 1
}
