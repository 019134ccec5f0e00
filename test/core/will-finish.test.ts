import { expect, test } from 'vitest'
import type { Run } from '../../src/core/run.ts'
import { willFinish } from '../../src/core/will-finish.ts'

const complete: Run['verdict'] = {
  kind: 'complete',
  summary: null,
  metadata: null,
  result: null,
  artifacts: [],
  createdCards: [],
}
const run = { phase: 'work', intent: null, verdict: complete, checks: null } as const
const facts = { task: { checks: [] }, run, ending: { how: 'exited' }, verdict: null, completesOnExit: false }
const checks = { tries: 1, passedAt: null, contentHash: null, output: 'no' }

test('a work run finishes by a verdict to complete or to review', () => {
  expect(willFinish(facts)).toBe(true)
  const blocked = { kind: 'block', summary: null, metadata: null, reason: 'why', blockKind: 'needs_input' } as const
  expect(willFinish({ ...facts, run: { ...run, verdict: blocked } })).toBe(false)
  expect(willFinish({ ...facts, run: { ...run, phase: 'review' } })).toBe(false)
})

test('a run whose checks have not passed does not finish', () => {
  const checked = { ...facts, task: { checks: ['make test'] } }
  expect(willFinish({ ...checked, run: { ...run, checks } })).toBe(false)
  expect(willFinish({ ...checked, run: { ...run, checks: { ...checks, passedAt: 1, passed: ['make test'] } } })).toBe(
    true,
  )
})

test('a run without a verdict finishes when exit 0 means complete', () => {
  const silent = { ...facts, run: { ...run, verdict: null } }
  expect(willFinish({ ...silent, ending: { how: 'exited', exitCode: 0 }, completesOnExit: true })).toBe(true)
  expect(willFinish({ ...silent, ending: { how: 'exited', exitCode: 1 }, completesOnExit: true })).toBe(false)
  expect(willFinish({ ...silent, ending: { how: 'exited', exitCode: 0 } })).toBe(false)
})
