// Half a minute of `npm run chaos`: everything that runs is killed and stopped at random, on both engines.
import { expect, inject, test } from 'vitest'
import { runChaos } from '../helpers/chaos/chaos.ts'
import { chaosTable } from '../helpers/chaos/table.ts'
import { ENGINES } from '../helpers/stores.ts'

// It rests as soon as it can; on a busy machine that takes a while.
const PACE = { stormMs: 9_000, restMs: 120_000, everyMs: 200 }

test.each(ENGINES)(
  'the board on %s keeps its invariants under kills and stops',
  async (engine) => {
    const seed = Math.floor(Math.random() * 1_000_000)
    const report = await runChaos({ engine, postgresUrl: inject('postgresUrl'), seed, ...PACE })
    console.log(chaosTable(report))
    expect(report.faults).toEqual([])
  },
  240_000,
)
