// Runs a short `npm run chaos`: all processes are killed and stopped at random, on both engines.
import { expect, inject, test } from 'vitest'
import { runChaos } from '../helpers/chaos/chaos.ts'
import { chaosTable } from '../helpers/chaos/table.ts'
import { ENGINES } from '../helpers/stores.ts'

// The pace of the test. `restMs` is a maximum for busy machines; usually the cards finish much earlier.
const PACE = { injectMs: 6_000, restMs: 120_000, everyMs: 200 }

// Both engines are tested at once, because most of the time is spent waiting for processes.
test.concurrent.each(ENGINES)(
  'the board on %s keeps its invariants under kills and stops',
  async (engine) => {
    const seed = Math.floor(Math.random() * 1_000_000)
    const report = await runChaos({ engine, postgresUrl: inject('postgresUrl'), seed, ...PACE })
    console.log(chaosTable(report))
    expect(report.faults).toEqual([])
  },
  240_000,
)
