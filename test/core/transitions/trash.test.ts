import { describe, expect, test } from 'vitest'
import { DAY, card, clockwork, commentOf, runOf, worker } from '../../helpers/sample.ts'
import { TestBoard, reviewAsked } from '../test-board.ts'

const stranger = worker(card('w'), runOf('w'))

describe('archive and unarchive', () => {
  test('archiving a card makes its children ready, and unarchiving makes them wait again', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { parents: ['p'] })
    board.do('archive', { task: card('p') })
    expect(board.task('p')).toMatchObject({ status: 'archived', archivedFrom: 'ready' })
    expect(board.status('a')).toBe('ready')
    expect(board.do('unarchive', { task: card('p') }).status).toBe('ready')
    expect(board.status('a')).toBe('todo')
    board.check()
  })

  test('an unarchived card returns to its earlier status', () => {
    const board = new TestBoard()
    board.create('done')
    board.complete('done')
    board.create('review')
    board.attempt('review', { verdict: reviewAsked() })
    board.create('blocked')
    board.block('blocked')
    board.create('p')
    board.create('waiting', { parents: ['p'] })
    const names = ['done', 'review', 'blocked', 'waiting']
    for (const name of names) board.do('archive', { task: card(name) })
    board.complete('p')
    for (const name of names) board.do('unarchive', { task: card(name) })
    expect(names.map(board.status)).toEqual(['done', 'review', 'blocked', 'ready'])
    board.check()
  })

  test('a restored card with a dependency block stops waiting if its parents have finished', () => {
    for (const [away, back] of [
      ['archive', 'unarchive'],
      ['delete', 'undelete'],
    ] as const) {
      const board = new TestBoard()
      board.create('p')
      board.create('a')
      board.claim('a')
      board.do('link', { parent: card('p'), child: card('a') })
      board.block('a', { kind: 'dependency' })
      board.settle('a')
      expect(board.task('a')).toMatchObject({ status: 'todo', blockKind: 'dependency' })
      board.do(away, { task: card('a') })
      board.complete('p')
      board.do(back, { task: card('a') })
      expect(board.task('a')).toMatchObject({ status: 'ready', blockKind: null })
      board.check()
    }
  })

  test('archiving a card stops the run of a person', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('claim_manual', { task: card('a'), runId: board.mint().runId })
    board.do('archive', { task: card('a'), reason: 'never mind' })
    expect(board.run('a')).toMatchObject({ outcome: 'stopped', summary: 'never mind' })
    expect(board.task('a').archivedFrom).toBe('ready')
    board.check()
  })

  test('`archive` and `unarchive` are refused for other workers and in wrong statuses', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('archive', { task: card('a') }, stranger).code).toBe('not_allowed')
    expect(board.refused('unarchive', { task: card('a') }).code).toBe('wrong_status')
    board.do('archive', { task: card('a') })
    expect(board.refused('archive', { task: card('a') }).code).toBe('wrong_status')
    for (const actor of [stranger, clockwork])
      expect(board.refused('unarchive', { task: card('a') }, actor).code).toBe('not_allowed')
  })
})

describe('delete and undelete', () => {
  test('a deleted card is hidden and gates no child until it is restored', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { parents: ['p'] })
    board.do('delete', { task: card('p') })
    expect(board.task('p')).toMatchObject({ status: 'ready', deletedAt: board.now, deletedBy: 'ada', dueAt: null })
    expect(board.status('a')).toBe('ready')
    expect(board.refused('hold', { task: card('p') }).code).toBe('task_not_found')
    expect(board.refused('claim', board.claimInput('p')).code).toBe('task_not_found')
    board.claim('a')
    board.do('undelete', { task: card('p') })
    expect(board.task('p')).toMatchObject({ deletedAt: null, deletedBy: null })
    expect(board.run('a').parentReopenedAt).toBe(board.now)
    board.check()
  })

  test('a restored card is ready if its parents finished while it was deleted', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { parents: ['p'] })
    board.do('delete', { task: card('a') })
    board.complete('p')
    expect(board.status('a')).toBe('todo')
    expect(board.do('undelete', { task: card('a') }).status).toBe('ready')
    board.check()
  })

  test('deleting and restoring a finished card does not change its children', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { parents: ['p'] })
    board.complete('p')
    board.do('delete', { task: card('p') })
    board.do('undelete', { task: card('p') })
    expect(board.task('a')).toMatchObject({ status: 'ready', openParents: 0 })
    board.check()
  })

  test('deleting a card stops the run of a person', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('claim_manual', { task: card('a'), runId: board.mint().runId })
    board.do('delete', { task: card('a') })
    expect(board.run('a').outcome).toBe('stopped')
    expect(board.status('a')).toBe('ready')
    board.check()
  })

  test('`delete` and `undelete` are refused for other workers', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('delete', { task: card('a') }, stranger).code).toBe('not_allowed')
    expect(board.refused('undelete', { task: card('a') }).code).toBe('nothing_to_undo')
    expect(board.refused('undelete', { task: card('x') }).code).toBe('task_not_found')
    board.do('delete', { task: card('a') })
    expect(board.refused('delete', { task: card('a') }).code).toBe('task_not_found')
    expect(board.refused('undelete', { task: card('a') }, stranger).code).toBe('not_allowed')
  })
})

describe('purge', () => {
  test('`purge` removes an expired card and its rows, but keeps its events', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { parents: ['p'] })
    board.create('b', { parents: ['a'] })
    board.do('comment', { task: card('a'), id: commentOf('c'), body: 'hm' })
    board.do('delete', { task: card('a') })
    expect(board.refused('purge', { task: card('a') }, clockwork).code).toBe('wrong_status')
    board.advance(7 * DAY)
    board.do('purge', { task: card('a') }, clockwork)
    expect(board.store.task(card('a'))).toBeNull()
    expect(board.store.comments(card('a'))).toEqual([])
    expect(board.store.link(card('p'), card('a'))).toBeNull()
    expect(board.store.link(card('a'), card('b'))).toBeNull()
    expect(board.kinds('a')).toContain('deleted')
    expect(board.status('b')).toBe('ready')
    board.check()
  })

  test('`purge` is refused for cards that are not in the trash', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('purge', { task: card('a') }).code).toBe('wrong_status')
    expect(board.refused('purge', { task: card('x') }).code).toBe('task_not_found')
  })
})
