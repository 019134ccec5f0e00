import { expect, test } from 'vitest'
import { answerVerdict } from '../../src/worker-api/answer-verdict.ts'
import { EndCauses } from '../../src/supervisor/end-causes.ts'
import type { CheckOutcome } from '../../src/supervisor/check-runner.ts'
import { card } from '../helpers/sample.ts'

const task = card('a')

const reportVerdict = (
  outcome: Promise<CheckOutcome>,
  verdict: 'complete' | 'block' | 'request_review' = 'complete',
  { withinMs = 60_000, isJudged = false } = {},
) => {
  const stopped: boolean[] = []
  const checkRunner = { check: () => outcome, stop: async () => void stopped.push(true) }
  const answer = answerVerdict(checkRunner, { task, verdict, checks: 1, isJudged, since: performance.now() }, withinMs)
  return { answer, stopped }
}

test('the answer announces the judge of a goal', async () => {
  const judged = reportVerdict(Promise.resolve({ kind: 'passed' }), 'complete', { isJudged: true })
  expect(await judged.answer).toBe(
    `Recorded complete for ${task}. End your turn: a judge now decides whether the goal is met.`,
  )
})

test('the answer reports that the checks passed', async () => {
  const passed = reportVerdict(Promise.resolve({ kind: 'passed' }))
  expect(await passed.answer).toBe(
    `Recorded complete for ${task}: its checks passed, and the card is settled when this run ends.`,
  )
  expect(await reportVerdict(Promise.resolve({ kind: 'unneeded' }), 'request_review').answer).toBe(
    `Recorded request review for ${task}: the card is settled when this run ends.`,
  )
})

test('a verdict whose checks fail is refused with their output and the remaining tries', async () => {
  const failed = { kind: 'failed', summary: 'check failed: make (exit 2): a\nb', output: 'all of it' } as const
  await expect(reportVerdict(Promise.resolve({ ...failed, triesLeft: 1 })).answer).rejects.toMatchObject({
    code: 'checks_failed',
    message: `Card ${task} is not done: check failed: make (exit 2): a. Fix it and report again: 1 try is left.`,
    details: { output: 'all of it', triesLeft: 1 },
  })
  await expect(reportVerdict(Promise.resolve({ ...failed, triesLeft: 0 })).answer).rejects.toThrow(
    'No tries are left: block it',
  )
})

test('if the checks take too long, the answer asks the worker to end its turn', async () => {
  const { answer } = reportVerdict(new Promise(() => {}), 'complete', { withinMs: 10 })
  expect(await answer).toBe(
    `Recorded complete for ${task}: checking. End your turn; the card is settled when its checks have passed.`,
  )
})

test('the answer reports that checks wait for approval', async () => {
  const { answer } = reportVerdict(Promise.resolve({ kind: 'unapproved', summary: 'its checks wait' }))
  expect(await answer).toBe(`Recorded complete for ${task}, but its checks wait.`)
})

test('a `block` stops the running checks and gets its answer at once', async () => {
  const { answer, stopped } = reportVerdict(new Promise(() => {}), 'block')
  expect(await answer).toBe(`Recorded block for ${task}: the card is settled when this run ends.`)
  expect(stopped).toEqual([true])
})

test('a caller gets the first reason to end the turn that it does not exclude', async () => {
  const causes = new EndCauses<{ kind: 'one' | 'two' | 'three' }>()
  const early = causes.next('one')
  causes.add({ kind: 'one' })
  causes.add({ kind: 'two' })
  causes.add({ kind: 'three' })
  expect(await early).toEqual({ kind: 'two' })
  expect(await causes.next()).toEqual({ kind: 'one' })
  expect(await causes.next('one', 'two')).toEqual({ kind: 'three' })
})
