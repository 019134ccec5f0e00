import { describe, expect, test } from 'vitest'
import { card, clockwork, person, worker, runOf } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

const begin = { task: card('a'), stage: 'begin' } as const
const end = { task: card('a'), stage: 'end' } as const

function archived(): TestBoard {
  const board = new TestBoard()
  board.create('a')
  board.complete('a')
  board.do('archive', { task: card('a') })
  return board
}

describe('sweep', () => {
  test('a sweep removes the workspace of an archived card in two steps', () => {
    const board = archived()
    expect(board.do('sweep', begin, clockwork)).toEqual({ id: card('a'), state: 'sweeping' })
    expect(board.do('sweep', begin, person)).toEqual({ id: card('a'), state: 'sweeping' })
    expect(board.refused('reopen', { task: card('a') }).code).toBe('workspace_sweeping')
    expect(board.do('sweep', end, clockwork)).toEqual({ id: card('a'), state: 'gone' })
    expect(board.task('a').workspace).toMatchObject({ state: 'gone' })
    expect(board.do('sweep', end, clockwork)).toEqual({ id: card('a'), state: 'gone' })
    expect(board.do('reopen', { task: card('a') }).status).toBe('ready')
    board.check()
  })

  test('a process takes over a sweep only if it names the process that owns it', () => {
    const board = archived()
    board.do('sweep', { ...begin, by: 'one' }, clockwork)
    for (const input of [begin, end])
      expect(board.refused('sweep', { ...input, by: 'two' }, clockwork).code).toBe('workspace_sweeping')
    expect(board.do('sweep', { ...begin, by: 'two', over: 'one' }, clockwork).state).toBe('sweeping')
    expect(board.refused('sweep', { ...end, by: 'one' }, clockwork).code).toBe('workspace_sweeping')
    expect(board.do('sweep', { ...end, by: 'two' }, clockwork).state).toBe('gone')
    expect(board.task('a').workspace.sweeper).toBeNull()
  })

  test('a sweep ends even if the card was unarchived during the sweep', () => {
    const board = archived()
    board.do('sweep', begin)
    board.do('unarchive', { task: card('a') })
    expect(board.refused('reopen', { task: card('a') }).code).toBe('workspace_sweeping')
    board.do('sweep', end)
    expect(board.task('a').workspace.state).toBe('gone')
  })

  test('no child can be reopened, unarchived or undeleted during a sweep of its parent', () => {
    const board = new TestBoard()
    board.create('a')
    for (const id of ['b', 'c', 'd', 'e']) board.create(id, { parents: ['a'] })
    board.complete('a')
    board.complete('b')
    board.do('archive', { task: card('c') })
    board.do('delete', { task: card('d') })
    board.complete('e')
    board.do('archive', { task: card('e') })
    board.do('sweep', begin, clockwork)
    const back = [
      ['reopen', 'b'],
      ['unarchive', 'c'],
      ['undelete', 'd'],
    ] as const
    for (const [verb, id] of back) expect(board.refused(verb, { task: card(id) }).code).toBe('workspace_sweeping')
    expect(board.do('unarchive', { task: card('e') }).status).toBe('done')
    board.do('sweep', end, clockwork)
    for (const [verb, id] of back) expect(board.do(verb, { task: card(id) }).status).toBe('ready')
    board.check()
  })

  test('a postponed sweep keeps the workspace', () => {
    const board = archived()
    const postpone = { task: card('a'), stage: 'postpone', reason: 'the disk is full' } as const
    board.do('sweep', begin, clockwork)
    expect(board.do('sweep', postpone, clockwork).state).toBe('live')
    board.do('sweep', begin, clockwork)
    board.do('sweep', { ...postpone, known: true }, clockwork)
    expect(board.kinds('a').filter((kind) => kind === 'workspace_kept')).toHaveLength(1)
    expect(board.do('sweep', begin, clockwork).state).toBe('sweeping')
  })

  test('a sweep of a done card records the snapshot in an event', () => {
    const board = new TestBoard()
    board.create('a')
    board.complete('a')
    board.do('sweep', begin, clockwork)
    expect(board.do('sweep', { ...end, snapshot: '/copies/a.tar.gz' }, clockwork).state).toBe('gone')
    expect(board.event('workspace_swept', 'a')).toMatchObject({ data: { snapshot: '/copies/a.tar.gz' } })
  })

  test('a kept workspace is swept only on request', () => {
    const board = archived()
    const keep = { task: card('a'), stage: 'keep', reason: 'too large' } as const
    expect(board.do('sweep', keep, clockwork).state).not.toBe('kept')
    board.do('sweep', begin, clockwork)
    expect(board.do('sweep', keep, clockwork).state).toBe('kept')
    expect(board.event('workspace_kept', 'a')).toMatchObject({ data: { reason: 'too large' } })
    expect(board.refused('sweep', begin, clockwork).code).toBe('not_allowed')
    expect(board.do('sweep', { ...begin, again: true }, person).state).toBe('sweeping')
  })

  test('a sweep ends even if the card was deleted during the sweep', () => {
    const board = archived()
    board.do('sweep', begin, clockwork)
    board.do('delete', { task: card('a') })
    expect(board.do('sweep', end, clockwork).state).toBe('gone')
    expect(board.refused('sweep', begin, clockwork).code).toBe('task_not_found')
  })

  test('a deferred sweep records the child that needs the folder', () => {
    const board = new TestBoard()
    board.create('a')
    board.create('b', { parents: ['a'] })
    board.complete('a')
    board.do('sweep', { task: card('a'), stage: 'defer' }, clockwork)
    expect(board.event('sweep_deferred', 'a')).toMatchObject({ data: { child: card('b') } })
    board.complete('b')
    const before = board.kinds('a')
    board.do('sweep', { task: card('a'), stage: 'defer' }, clockwork)
    expect(board.kinds('a')).toEqual(before)
  })

  test('a sweep waits for unfinished children, except deleted ones', () => {
    const board = new TestBoard()
    board.create('a')
    board.create('b', { parents: ['a'] })
    board.complete('a')
    board.do('archive', { task: card('a') })
    expect(board.refused('sweep', begin)).toMatchObject({ code: 'wrong_status', details: { child: card('b') } })
    board.do('delete', { task: card('b') })
    expect(board.do('sweep', begin).state).toBe('sweeping')
  })

  test('a sweep is refused for unfinished cards, directories and workers', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('sweep', begin).code).toBe('wrong_status')
    board.claim('a')
    expect(board.refused('sweep', begin).code).toBe('wrong_status')
    board.create('d', { workspace: { kind: 'dir', path: '/srv/site', repo: null } })
    board.do('archive', { task: card('d') })
    expect(board.refused('sweep', { ...begin, task: card('d') }).code).toBe('not_allowed')
    expect(board.refused('sweep', begin, worker(card('w'), runOf('w'))).code).toBe('not_allowed')
    expect(board.refused('sweep', { ...begin, task: card('x') }).code).toBe('task_not_found')
  })
})
