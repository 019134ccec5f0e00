import { expect, test } from 'vitest'
import type { Run } from '../../../src/core/run.ts'
import { conditionOf } from '../../../src/operations/runs/run-condition.ts'
import type { RunCondition, SeenProcesses } from '../../../src/operations/runs/run-condition.ts'
import { NOON, identity, sampleRun } from '../../helpers/sample.ts'

const here = { isHere: true, supervised: true, processes: 2 }
const cases: readonly (readonly [RunCondition, Partial<Run>, Partial<SeenProcesses>])[] = [
  ['manual', { kind: 'manual' }, { isHere: false }],
  ['elsewhere', {}, { isHere: false }],
  ['starting', { identity: null }, { supervised: false, processes: 0 }],
  ['working', {}, {}],
  ['settling', {}, { processes: 0 }],
  ['ending', { terminatingAt: NOON }, {}],
  ['ending', { terminatingAt: NOON }, { processes: 0 }],
  ['orphaned', {}, { supervised: false }],
  ['orphaned', { terminatingAt: NOON }, { supervised: false }],
  ['gone', {}, { supervised: false, processes: 0 }],
]

test.each(cases)('a run has the condition %s if its row has %j and this machine finds %j', (condition, run, seen) => {
  expect(conditionOf(sampleRun({ identity: identity(), ...run }), { ...here, ...seen })).toBe(condition)
})
