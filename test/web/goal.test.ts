import { expect, test } from 'vitest'
import { progressOf } from '../../web/src/card/overview/goal-progress.ts'

type Card = Parameters<typeof progressOf>[0]
type Judged = NonNullable<Card['runs'][number]['goal']>['judgements'][number]

const judged = (turn: number, answer: Judged['answer'], more: Partial<Judged> = {}): Judged => ({
  turn,
  answer,
  by: 'model',
  reason: '',
  missing: answer === 'continue' ? ['the tests'] : [],
  model: 'judge-1',
  inputTokens: 100,
  outputTokens: 20,
  costUsd: 0.01,
  at: turn,
  ...more,
})

type Stop = NonNullable<Card['runs'][number]['goal']>['stop']
const run = (attempt: number, judgements: readonly Judged[], stop: Stop = null): Card['runs'][number] => ({
  id: `r_${attempt}`,
  attempt,
  phase: 'work',
  goal: { judgements, isTurnJudged: true, passedAt: null, passedHash: null, isReminded: false, stop },
})
const card = (more: Partial<Card>): Card => ({
  goal: { maxTurns: 3, judge: 'model' },
  goalTurns: 0,
  status: 'ready',
  blockKind: null,
  blockedBy: null,
  runs: [],
  ...more,
})

test('a card without a goal has no progress', () => {
  expect(progressOf(card({ goal: null }))).toBeNull()
})

test('a running card shows its next turn, and the newest answer first', () => {
  const progress = progressOf(
    card({
      status: 'running',
      goalTurns: 2,
      runs: [run(1, [judged(1, 'continue')]), run(2, [judged(2, 'continue')])],
    }),
  )
  expect(progress).toMatchObject({ turn: 3, left: 1, next: 'worksOnMissing', models: ['judge-1'] })
  expect(progress?.turns.map(({ attempt, turn }) => [attempt, turn])).toEqual([
    [2, 2],
    [1, 1],
  ])
  expect(progress?.usage).toEqual({ inputTokens: 200, outputTokens: 40, costUsd: 0.02 })
})

test('a goal that the checks judge has no cost', () => {
  const turns = [
    judged(1, 'continue', { by: 'checks', model: null, inputTokens: null, outputTokens: null, costUsd: null }),
  ]
  expect(progressOf(card({ runs: [run(1, turns)] }))?.usage).toBeNull()
})

test.each([
  ['budget', 'outOfTurns'],
  ['capability', 'impossible'],
  ['transient', 'judgeAway'],
  ['needs_input', 'notReported'],
] as const)('a card that its judge blocked as %s shows the next step', (kind, next) => {
  const stopped = run(1, [judged(1, 'continue')], { kind, reason: 'Why' })
  expect(progressOf(card({ status: 'blocked', blockKind: kind, runs: [stopped] }))?.next).toBe(next)
})

test('the next step of a goal depends on the status of the card', () => {
  const done = [run(1, [judged(1, 'done')])]
  expect(progressOf(card({}))?.next).toBe('starts')
  expect(progressOf(card({ status: 'running' }))?.next).toBe('judgedNext')
  expect(progressOf(card({ status: 'blocked', blockKind: 'needs_input' }))?.next).toBe('blocked')
  expect(progressOf(card({ status: 'review', runs: done }))?.next).toBe('reviewed')
  expect(progressOf(card({ status: 'done', runs: done }))?.next).toBe('met')
  expect(progressOf(card({ status: 'done' }))?.next).toBe('byPerson')
  expect(progressOf(card({ runs: [run(1, [judged(1, 'continue')])] }))?.next).toBe('continues')
})
