import { describe, expect, test } from 'vitest'
import { card, commentOf, person, runOf, worker } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

describe('create_board', () => {
  test('makes a board with the defaults, named after its slug', () => {
    const board = new TestBoard()
    expect(board.do('create_board', { slug: 'side-project' }, person, 'side-project')).toEqual({
      slug: 'side-project',
      created: true,
    })
    expect(board.store.board('side-project')).toMatchObject({ name: 'Side Project', settings: { failureLimit: 2 } })
    expect(board.event('board_created')).toMatchObject({ board: 'side-project', data: { name: 'Side Project' } })
  })

  test('sent again changes nothing', () => {
    const board = new TestBoard({ failureLimit: 7 })
    expect(board.do('create_board', { slug: 'main', name: 'Other' })).toEqual({ slug: 'main', created: false })
    expect(board.store.board('main')).toMatchObject({ name: 'Main', settings: { failureLimit: 7 } })
  })

  test('may come with settings of its own', () => {
    const board = new TestBoard()
    board.do('create_board', { slug: 'side', settings: { maxRunning: 1 } }, person, 'side')
    expect(board.store.board('side')?.settings).toMatchObject({ maxRunning: 1, failureLimit: 2 })
    const relative = { slug: 'other', settings: { defaultDirectory: 'src' } }
    expect(board.refused('create_board', relative, person, 'other').message).toBe(
      'defaultDirectory must be an absolute path.',
    )
  })

  test('is refused with a bad slug, or with one of another board', () => {
    const board = new TestBoard()
    expect(board.refused('create_board', { slug: 'My Board' }, person, 'My Board').code).toBe('invalid_input')
    expect(board.refused('create_board', { slug: 'main' }, person, 'side').code).toBe('invalid_input')
  })
})

describe('set_board', () => {
  test('changes and names only the fields that differ', () => {
    const board = new TestBoard()
    const before = board.store.board('main')?.settings
    board.do('set_board', { name: 'Work', settings: { failureLimit: 5, maxRunning: null } })
    expect(board.store.board('main')).toMatchObject({ name: 'Work', settings: { ...before, failureLimit: 5 } })
    expect(board.event('board_changed').data).toEqual({ fields: ['name', 'failureLimit'] })
  })

  test('that changes nothing writes no event', () => {
    const board = new TestBoard()
    const events = board.kinds().length
    expect(board.do('set_board', { name: 'Main' }).fields).toEqual([])
    expect(board.kinds()).toHaveLength(events)
  })

  test('puts a board out of use and back', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('set_board', { archived: true })
    expect(board.refused('claim', board.claimInput('a')).details).toMatchObject({ reason: { gate: 'board_archived' } })
    board.do('set_board', { archived: false })
    board.claim('a')
    expect(board.kinds().filter((kind) => kind.startsWith('board_'))).toEqual([
      'board_created',
      'board_archived',
      'board_unarchived',
    ])
  })

  test('never puts the first board out of use', () => {
    const board = new TestBoard()
    board.do('create_board', { slug: 'default' }, person, 'default')
    expect(board.refused('set_board', { archived: true }, person, 'default').code).toBe('not_allowed')
    board.do('set_board', { name: 'Mine' }, person, 'default')
  })

  test('is refused to workers, with unknown settings, and with values that nothing could meet', () => {
    const board = new TestBoard()
    expect(board.refused('set_board', {}, worker(card('w'), runOf('w'))).code).toBe('not_allowed')
    expect(board.refused('set_board', { settings: { colour: 1 } }).code).toBe('invalid_input')
    expect(board.refused('set_board', { settings: { failureLimit: 0 } }).code).toBe('invalid_input')
    expect(board.refused('set_board', {}, person, 'nowhere').code).toBe('board_not_found')
  })
})

describe('delete_board', () => {
  test('removes an archived board with everything on it, and keeps its events', () => {
    const board = new TestBoard()
    board.do('create_board', { slug: 'side' }, person, 'side')
    board.create('a')
    board.create('b', { parents: ['a'] })
    board.do('comment', { task: card('a'), id: commentOf('c'), body: 'hm' })
    board.do('set_board', { archived: true })
    board.do('delete_board', {})
    const { boards, tasks, links, comments } = board.store.state()
    expect(boards.map(({ slug }) => slug)).toEqual(['side'])
    expect([tasks, links, comments]).toEqual([[], [], []])
    expect(board.event('board_deleted')).toMatchObject({ board: 'main', data: { name: 'Main' } })
    expect(board.kinds()).toContain('created')
    expect(board.refused('set_board', {}).code).toBe('board_not_found')
  })

  test('takes an empty board as it is, and one with cards only when it is archived', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('delete_board', {}).code).toBe('board_in_use')
    board.do('delete', { task: card('a') })
    expect(board.refused('delete_board', {}).code).toBe('board_in_use')
    board.do('create_board', { slug: 'side' }, person, 'side')
    board.do('delete_board', {}, person, 'side')
    expect(board.store.board('side')).toBeNull()
  })

  test('waits for a run that is live there', () => {
    const board = new TestBoard()
    board.create('a')
    board.claim('a')
    board.do('set_board', { archived: true })
    expect(board.refused('delete_board', {})).toMatchObject({ code: 'run_live', details: { id: card('a') } })
  })

  test('is refused to workers, and for the first board', () => {
    const board = new TestBoard()
    board.do('create_board', { slug: 'default' }, person, 'default')
    expect(board.refused('delete_board', {}, worker(card('w'), runOf('w'))).code).toBe('not_allowed')
    expect(board.refused('delete_board', {}, person, 'default').code).toBe('not_allowed')
  })
})
