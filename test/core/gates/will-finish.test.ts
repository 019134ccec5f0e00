import { expect, test } from 'vitest'
import type { Intent, Run } from '../../../src/core/run.ts'
import { willFinish } from '../../../src/core/gates/will-finish.ts'

const complete: Run['verdict'] = {
  kind: 'complete',
  summary: null,
  metadata: null,
  result: null,
  artifacts: [],
  createdCards: [],
}
const run = { phase: 'work', kind: 'agent', intent: null, verdict: complete, checks: null, goal: null } as const
const facts = {
  task: { checks: [], goal: null },
  run,
  ending: { how: 'exited' },
  verdict: null,
  completesOnExit: false,
}
const checks = { tries: 1, passedAt: null, contentHash: null, output: 'no' }

test('a verdict `complete` or `request_review` finishes a work run', () => {
  expect(willFinish(facts)).toBe(true)
  const review = { kind: 'request_review', summary: null, metadata: null, reviewer: null } as const
  expect(willFinish({ ...facts, run: { ...run, verdict: review } })).toBe(true)
  const blocked = { kind: 'block', summary: null, metadata: null, reason: 'why', blockKind: 'needs_input' } as const
  expect(willFinish({ ...facts, run: { ...run, verdict: blocked } })).toBe(false)
  expect(willFinish({ ...facts, run: { ...run, phase: 'review' } })).toBe(false)
})

test('a run whose checks have not passed does not finish', () => {
  const checked = { ...facts, task: { checks: ['make test'], goal: null } }
  expect(willFinish({ ...checked, run: { ...run, checks } })).toBe(false)
  expect(willFinish({ ...checked, run: { ...run, checks: { ...checks, passedAt: 1, passed: ['make test'] } } })).toBe(
    true,
  )
})

test('a run without a verdict finishes if its agent completes on exit', () => {
  const silent = { ...facts, run: { ...run, verdict: null } }
  expect(willFinish({ ...silent, ending: { how: 'exited', exitCode: 0 }, completesOnExit: true })).toBe(true)
  expect(willFinish({ ...silent, ending: { how: 'exited', exitCode: 1 }, completesOnExit: true })).toBe(false)
  expect(willFinish({ ...silent, ending: { how: 'exited', exitCode: 0 } })).toBe(false)
})

test("a person's completion finishes a run with passed checks or force", () => {
  const intent: Intent = {
    verb: 'complete',
    by: 'ada',
    at: 1,
    reason: null,
    summary: null,
    metadata: null,
    result: null,
    blockKind: null,
    scheduledAt: null,
    assignee: null,
    force: null,
    files: [],
  }
  const checked = { ...facts, task: { checks: ['make test'], goal: null } }
  const asked = (more: Partial<Intent>) => ({ ...run, verdict: null, checks, intent: { ...intent, ...more } })
  expect(willFinish({ ...facts, run: asked({}) })).toBe(true)
  expect(willFinish({ ...checked, run: asked({}) })).toBe(false)
  expect(willFinish({ ...checked, run: asked({ verb: 'approve' }) })).toBe(false)
  expect(willFinish({ ...checked, run: asked({ force: 'flaky test' }) })).toBe(true)
  expect(willFinish({ ...facts, run: asked({ verb: 'stop' }) })).toBe(false)
})
