import { describe, expect, test } from 'vitest'
import type { Actor } from '../../src/core/actor.ts'
import { attachmentOf, card, clockwork, commentOf, worker } from '../helpers/sample.ts'
import { TestBoard } from './test-board.ts'

const comment = { task: card('b'), id: commentOf('c'), body: 'one more thing' }

/** Makes a worker whose run has ended, while another run has its card. */
function superseded() {
  const board = new TestBoard({ failureLimit: 9 })
  board.create('b')
  const late = board.startWorker('a')
  board.create('made', { by: late })
  board.settle('a', { how: 'interrupted', exitCode: null })
  board.claim('a')
  return { board, late }
}

describe('a worker whose run has ended', () => {
  test('a superseded worker cannot change any card', () => {
    const { board, late } = superseded()
    const file = { filename: 'f', storedPath: 'f', size: 1, contentType: null, sha256: null }
    const codes = [
      board.refused('comment', comment, late),
      board.refused('create', { cards: [{ id: card('c'), title: 'Card c' }] }, late),
      board.refused('edit', { task: card('made'), set: { title: 'mine' } }, late),
      board.refused('attach', { id: attachmentOf('f'), taskId: card('made'), ...file }, late),
      board.refused('attach', { id: attachmentOf('g'), taskId: card('a'), ...file }, late),
    ].map(({ code }) => code)
    expect(new Set(codes)).toEqual(new Set(['run_superseded']))
    expect(board.store.comments(card('b'))).toEqual([])
    expect(board.store.task(card('c'))).toBeNull()
    board.check()
  })

  test('a late write is refused and recorded on the card of its run', () => {
    const { board, late } = superseded()
    expect(board.refused('comment', comment, late).message).toContain(`no longer owns card ${card('a')}`)
    expect(board.event('late_result', 'a')).toMatchObject({
      runId: 'runId' in late ? late.runId : null,
      data: { verb: 'comment', content: comment },
    })
  })

  test('a `create` that is repeated after its run ended records no late result', () => {
    const { board, late } = superseded()
    const again = { cards: [{ id: card('made'), title: 'Card made', assignee: 'coder' }] }
    const kinds = board.kinds('a')
    board.store.decide({ verb: 'create', board: 'main', actor: late, input: again })
    expect(board.kinds('a').filter((kind) => kind === 'late_result')).toEqual(
      kinds.filter((kind) => kind === 'late_result'),
    )
  })
})

test('a write from an unknown run is refused', () => {
  const board = new TestBoard()
  board.create('b')
  expect(board.refused('comment', comment, worker(card('a'), board.mint().runId)).code).toBe('run_superseded')
})

test('a late write can be recorded only after its run ended', () => {
  const board = new TestBoard({ failureLimit: 9 })
  const open = board.startWorker('a')
  const runId = 'runId' in open && open.runId !== null ? open.runId : board.mint().runId
  const write = { task: card('a'), runId, verb: 'comment', content: { body: 'one more thing' } }
  expect(board.refused('record_late_write', write, clockwork).code).toBe('run_live')
  board.settle('a', { how: 'interrupted', exitCode: null })
  board.do('record_late_write', write, clockwork)
  expect(board.event('late_result', 'a')).toMatchObject({ runId, data: { verb: 'comment', content: write.content } })
})

test('an orchestrator whose run has ended cannot open a gate', () => {
  const board = new TestBoard({ failureLimit: 9 })
  board.create('b')
  board.block('b')
  const worker = board.startWorker('a')
  board.settle('a', { how: 'interrupted', exitCode: null })
  const late = { ...worker, kind: 'orchestrator' } as Actor
  expect(board.refused('unblock', { task: card('b') }, late).code).toBe('run_superseded')
  expect(board.status('b')).toBe('blocked')
  expect(board.event('late_result', 'a').data).toMatchObject({ verb: 'unblock' })
})
