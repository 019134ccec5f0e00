import { expect, test } from 'vitest'
import type { RunId } from '../../src/core/ids.ts'
import type { Run } from '../../src/core/run.ts'
import { runOf, sampleRun } from '../helpers/sample.ts'
import { Oracle } from '../simulator/oracle.ts'
import type { SimProcess } from '../simulator/process.ts'
import { Truth } from '../simulator/truth.ts'

const id: RunId = runOf('r')

/** An oracle that knows one supervisor. The question of this supervisor comes after it has read this row. */
function faultsAfter(read: Partial<Run>, closedMsAgo: number | null = null): readonly string[] {
  const truth = new Truth()
  const now = 60_000
  // The oracle uses only these parts for a question.
  const context = { kernel: { now }, truth } as unknown as ConstructorParameters<typeof Oracle>[0]
  const oracle = new Oracle(context)
  const machine = { asleep: false, wokeAt: -1_000_000 }
  const supervisor = { name: 'supervisor', role: 'supervisor', run: id, machine } as unknown as SimProcess
  oracle.onRunRead(supervisor, sampleRun({ id, ...read }))
  if (closedMsAgo !== null) truth.of(id).closedAt = now - closedMsAgo
  oracle.onQuestion(supervisor)
  return oracle.faults
}

test('the oracle accepts a question to the judge about an open run', () => {
  expect(faultsAfter({ endedAt: null, intent: null })).toEqual([])
  expect(faultsAfter({ endedAt: null, intent: null }, 1_000)).toEqual([])
})

test('the oracle reports a question to the judge after the run is over', () => {
  const intent: Run['intent'] = { kind: 'reclaim' } as unknown as Run['intent']
  for (const read of [{ endedAt: 1 }, { endedAt: null, intent }])
    expect(faultsAfter(read)).toEqual([expect.stringContaining('although it knew')])
  expect(faultsAfter({ endedAt: null, intent: null }, 20_000)).toEqual([expect.stringContaining('20000 ms after')])
})
