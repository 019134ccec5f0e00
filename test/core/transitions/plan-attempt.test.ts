import { describe, expect, test } from 'vitest'
import { PLANNER_ACTOR } from '../../../src/core/actor.ts'
import { NEVER, PLAN_ATTEMPTS, PLAN_LEASE_MS, PLANS_PER_HOUR } from '../../../src/core/planning.ts'
import { card, person } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

const HOUR = 3_600_000

function planned(...names: string[]): TestBoard {
  const board = new TestBoard()
  board.do('set_board', { settings: { autoDecompose: true } }, person)
  for (const name of names) board.create(name, { triage: true })
  return board
}
const begin = (board: TestBoard, name = 'a') => board.do('begin_plan', { task: card(name) }, PLANNER_ACTOR)
const refused = (board: TestBoard, name = 'a') => board.refused('begin_plan', { task: card(name) }, PLANNER_ACTOR).code
const fail = (board: TestBoard, attempt: number, name = 'a') =>
  board.do('fail_plan', { task: card(name), attempt, reason: 'no answer' }, PLANNER_ACTOR)

describe('attempts to plan a card automatically', () => {
  test('only one machine plans a card, and an abandoned attempt can be repeated', () => {
    const board = planned('a')
    expect(begin(board)).toEqual({ attempt: 1 })
    expect(refused(board)).toBe('claim_lost')
    board.advance(PLAN_LEASE_MS)
    expect(begin(board)).toEqual({ attempt: 2 })
    expect(board.refused('fail_plan', { task: card('a'), attempt: 1, reason: 'late' }, PLANNER_ACTOR).code).toBe(
      'claim_lost',
    )
  })

  test('a card waits for a person after five failed planning attempts with growing waits', () => {
    const board = planned('a')
    const waits: (number | null)[] = []
    for (let attempt = 1; attempt <= PLAN_ATTEMPTS; attempt += 1) {
      begin(board)
      const { retryAt } = fail(board, attempt)
      waits.push(retryAt === null ? null : (retryAt - board.now) / HOUR)
      if (retryAt !== null) board.advance(retryAt - board.now)
    }
    expect(waits).toEqual([1, 2, 4, 8, null])
    board.advance(1000 * HOUR)
    expect(refused(board)).toBe('claim_lost')
    expect(board.task('a')).toMatchObject({ planFailure: 'no answer', planAfter: NEVER })
    expect(board.event('plan_failed').data).toMatchObject({ reason: 'no answer', attempt: 5, retryAt: null })
  })

  test('a board makes at most ten planning attempts in an hour', () => {
    const names = Array.from({ length: PLANS_PER_HOUR + 1 }, (_, at) => `c${at}`)
    const board = planned(...names)
    for (const name of names.slice(0, PLANS_PER_HOUR)) begin(board, name)
    expect(refused(board, `c${PLANS_PER_HOUR}`)).toBe('capped')
    board.advance(HOUR)
    begin(board, `c${PLANS_PER_HOUR}`)
  })

  test('only the planner plans cards, on boards with `autoDecompose`', () => {
    const board = planned('a')
    board.do('set_board', { settings: { autoDecompose: false } }, person)
    expect(refused(board)).toBe('claim_lost')
    const input = { task: card('a'), cards: [{ id: card('one'), title: 'One' }] }
    expect(board.refused('decompose', input, PLANNER_ACTOR).code).toBe('not_allowed')
    board.do('set_board', { settings: { autoDecompose: true } }, person)
    board.do('decompose', input, PLANNER_ACTOR)
    expect(board.status('a')).toBe('todo')
  })

  test('a card that returns to triage after blocks is not planned again', () => {
    const board = planned()
    board.create('a')
    while (board.block('a').status !== 'triage') board.do('unblock', { task: card('a') })
    expect(refused(board)).toBe('claim_lost')
    expect(board.refused('specify', { task: card('a') }, PLANNER_ACTOR).code).toBe('not_allowed')
  })
})
