import { describe, expect, test } from 'vitest'
import { card, commentOf, person, runOf, worker } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

describe('create_board', () => {
  test('a new board has default settings and a name from its slug', () => {
    const board = new TestBoard()
    expect(board.do('create_board', { slug: 'side-project' }, person, 'side-project')).toEqual({
      slug: 'side-project',
      created: true,
    })
    expect(board.store.board('side-project')).toMatchObject({ name: 'Side Project', settings: { failureLimit: 2 } })
    expect(board.event('board_created')).toMatchObject({ board: 'side-project', data: { name: 'Side Project' } })
  })

  test('creating an existing board changes nothing', () => {
    const board = new TestBoard({ failureLimit: 7 })
    expect(board.do('create_board', { slug: 'main', name: 'Other' })).toEqual({ slug: 'main', created: false })
    expect(board.store.board('main')).toMatchObject({ name: 'Main', settings: { failureLimit: 7 } })
  })

  test('a new board may have its own settings', () => {
    const board = new TestBoard()
    board.do('create_board', { slug: 'side', settings: { maxRunning: 1 } }, person, 'side')
    expect(board.store.board('side')?.settings).toMatchObject({ maxRunning: 1, failureLimit: 2 })
    const relative = { slug: 'other', settings: { defaultDirectory: 'src' } }
    expect(board.refused('create_board', relative, person, 'other').message).toBe(
      'defaultDirectory must be an absolute path.',
    )
  })

  test("a bad slug, or another board's slug, is refused", () => {
    const board = new TestBoard()
    expect(board.refused('create_board', { slug: 'My Board' }, person, 'My Board').code).toBe('invalid_input')
    expect(board.refused('create_board', { slug: 'main' }, person, 'side').code).toBe('invalid_input')
  })
})

describe('set_board', () => {
  test('`set_board` changes only the fields that differ, and its event names them', () => {
    const board = new TestBoard()
    const before = board.store.board('main')?.settings
    board.do('set_board', { name: 'Work', settings: { failureLimit: 5, maxRunning: null } })
    expect(board.store.board('main')).toMatchObject({ name: 'Work', settings: { ...before, failureLimit: 5 } })
    expect(board.event('board_changed').data).toEqual({ fields: ['name', 'failureLimit'] })
  })

  test('a set_board that changes nothing writes no event', () => {
    const board = new TestBoard()
    const events = board.kinds().length
    expect(board.do('set_board', { name: 'Main' }).fields).toEqual([])
    expect(board.kinds()).toHaveLength(events)
  })

  test('an archived board starts no cards until it is restored', () => {
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

  test('the board `default` cannot be archived', () => {
    const board = new TestBoard()
    board.do('create_board', { slug: 'default' }, person, 'default')
    expect(board.refused('set_board', { archived: true }, person, 'default').code).toBe('not_allowed')
    board.do('set_board', { name: 'Mine' }, person, 'default')
  })

  test('`set_board` is refused for workers and with invalid settings', () => {
    const board = new TestBoard()
    expect(board.refused('set_board', {}, worker(card('w'), runOf('w'))).code).toBe('not_allowed')
    expect(board.refused('set_board', { settings: { colour: 1 } }).code).toBe('invalid_input')
    expect(board.refused('set_board', { settings: { failureLimit: 0 } }).code).toBe('invalid_input')
    expect(board.refused('set_board', {}, person, 'nowhere').code).toBe('board_not_found')
  })
})

describe('delete_board', () => {
  test('deleting an archived board removes its rows and keeps its events', () => {
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

  test('an unarchived board is deleted only if it has no cards', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('delete_board', {}).code).toBe('board_in_use')
    board.do('delete', { task: card('a') })
    expect(board.refused('delete_board', {}).code).toBe('board_in_use')
    board.do('create_board', { slug: 'side' }, person, 'side')
    board.do('delete_board', {}, person, 'side')
    expect(board.store.board('side')).toBeNull()
  })

  test('a board with a live run cannot be deleted', () => {
    const board = new TestBoard()
    board.create('a')
    board.claim('a')
    board.do('set_board', { archived: true })
    expect(board.refused('delete_board', {})).toMatchObject({ code: 'run_live', details: { id: card('a') } })
  })

  test('deleting is refused for workers and for the board `default`', () => {
    const board = new TestBoard()
    board.do('create_board', { slug: 'default' }, person, 'default')
    expect(board.refused('delete_board', {}, worker(card('w'), runOf('w'))).code).toBe('not_allowed')
    expect(board.refused('delete_board', {}, person, 'default').code).toBe('not_allowed')
  })
})
