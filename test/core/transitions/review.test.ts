import { describe, expect, test } from 'vitest'
import { card, clockwork, runOf, worker } from '../../helpers/sample.ts'
import { TestBoard, reviewAsked } from '../test-board.ts'

const ask = <E extends object>(board: TestBoard, name: string, extra: E = {} as E) => ({
  task: card(name),
  runId: board.mint().runId,
  ...extra,
})

describe('request_review', () => {
  test('puts a ready card in review, with a run for its hand-off', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('request_review', ask(board, 'a', { summary: 'look\nplease', reviewer: 'Critic' }))
    expect(board.task('a')).toMatchObject({ status: 'review', reviewer: 'critic' })
    expect(board.run('a')).toMatchObject({ outcome: 'review_requested', summary: 'look\nplease' })
    expect(board.event('review_requested').data).toEqual({ reviewer: 'critic', summary: 'look' })
    board.check()
  })

  test('makes no run for a bare word, and closes the run of a person', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('request_review', ask(board, 'a'))
    expect(board.store.runs(card('a'))).toEqual([])
    board.create('b')
    board.do('claim_manual', ask(board, 'b'))
    board.do('request_review', ask(board, 'b'))
    expect(board.run('b').outcome).toBe('review_requested')
  })

  test('is refused while a worker runs, in other statuses, and to foreign workers', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('request_review', ask(board, 'a'), worker(card('w'), runOf('w'))).code).toBe('not_allowed')
    board.claim('a')
    expect(board.refused('request_review', ask(board, 'a')).code).toBe('run_live')
    board.create('b', { triage: true })
    expect(board.refused('request_review', ask(board, 'b')).code).toBe('wrong_status')
  })
})

describe('request_changes', () => {
  const inReview = () => {
    const board = new TestBoard()
    board.create('a', { reviewer: 'critic' })
    board.attempt('a', { verdict: reviewAsked() })
    return board
  }

  test('sends the card back to whoever did the work', () => {
    const board = inReview()
    expect(board.do('request_changes', ask(board, 'a', { reason: 'no tests' })).status).toBe('ready')
    expect(board.task('a')).toMatchObject({ assignee: 'coder', status: 'ready' })
    expect(board.run('a')).toMatchObject({ outcome: 'changes_requested', summary: 'no tests' })
    board.claim('a')
  })

  test('lets the card wait while a parent is open', () => {
    const board = inReview()
    board.create('p')
    board.do('link', { parent: card('p'), child: card('a') })
    expect(board.do('request_changes', ask(board, 'a', { reason: 'no' })).status).toBe('todo')
    board.check()
  })

  test('closes the review that a person had claimed', () => {
    const board = inReview()
    board.do('claim_manual', ask(board, 'a'))
    board.do('request_changes', ask(board, 'a', { reason: 'no' }))
    expect(board.run('a')).toMatchObject({ phase: 'review', outcome: 'changes_requested' })
  })

  test('is refused while a reviewer runs, outside a review, and to all but people and orchestrators', () => {
    const board = inReview()
    const asked = ask(board, 'a', { reason: 'no' })
    expect(board.refused('request_changes', asked, clockwork).code).toBe('not_allowed')
    board.claim('a', { agent: 'critic' })
    expect(board.refused('request_changes', asked).code).toBe('run_live')
    board.create('b')
    expect(board.refused('request_changes', ask(board, 'b', { reason: 'no' })).code).toBe('wrong_status')
  })
})
