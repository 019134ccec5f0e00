import { describe, expect, test } from 'vitest'
import { card, person, runOf } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

const asked = (name: string, parents: string[] = [], extra: object = {}) => ({
  id: card(name),
  title: `Card ${name}`,
  parents: parents.map(card),
  ...extra,
})

describe('create', () => {
  test('creating a card writes the card and an event', () => {
    const board = new TestBoard()
    expect(board.do('create', { cards: [asked('a')] })).toEqual({ ids: [card('a')], created: true, differs: [] })
    expect(board.status('a')).toBe('ready')
    expect(board.event('created', 'a')).toMatchObject({
      actor: 'ada',
      board: 'main',
      data: { status: 'ready', assignee: null, parents: [], tenant: null },
    })
  })

  test('a new card waits for its open parents', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('q')
    board.complete('q')
    board.create('a', { parents: ['p', 'q'] })
    expect(board.task('a')).toMatchObject({ status: 'todo', openParents: 1 })
    board.complete('p')
    expect(board.status('a')).toBe('ready')
    board.check()
  })

  test('one command creates a whole graph, in any order', () => {
    const board = new TestBoard()
    board.do('create', { cards: [asked('d', ['b', 'c']), asked('b', ['a']), asked('c', ['a']), asked('a')] })
    expect(['a', 'b', 'c', 'd'].map(board.status)).toEqual(['ready', 'todo', 'todo', 'todo'])
    expect(board.task('d').openParents).toBe(2)
    board.check()
  })

  test('a batch creates all its cards or none', () => {
    const board = new TestBoard()
    board.create('b')
    expect(board.refused('create', { cards: [asked('a'), asked('b')] })).toMatchObject({ code: 'id_taken' })
    expect(board.store.task(card('a'))).toBeNull()
  })

  test('a card created as blocked has an event for the block', () => {
    const board = new TestBoard()
    board.create('a', { blocked: true })
    expect(board.kinds('a')).toEqual(['created', 'blocked'])
    expect(board.unblock('a').status).toBe('ready')
  })

  test('a repeated create changes nothing', () => {
    const board = new TestBoard()
    board.create('a')
    const events = board.kinds().length
    expect(board.do('create', { cards: [asked('a')] })).toMatchObject({ ids: [card('a')], created: false })
    expect(board.kinds()).toHaveLength(events)
  })

  test('a known idempotency key returns the existing card and the differences', () => {
    const board = new TestBoard()
    board.create('a', { idempotencyKey: 'k', body: 'one' })
    const answer = board.do('create', { cards: [asked('b', [], { idempotencyKey: 'k', body: 'two' })] })
    expect(answer).toEqual({ ids: [card('a')], created: false, differs: ['title', 'body', 'assignee'] })
    expect(board.store.task(card('b'))).toBeNull()
  })

  test('a deleted card keeps its idempotency key until it is purged', () => {
    const board = new TestBoard()
    board.create('a', { idempotencyKey: 'k' })
    board.do('delete', { task: card('a') })
    expect(board.do('create', { cards: [asked('b', [], { idempotencyKey: 'k' })] }).created).toBe(false)
    board.advance(8 * 86_400_000)
    board.do('purge', { task: card('a') })
    expect(board.do('create', { cards: [asked('b', [], { idempotencyKey: 'k' })] }).created).toBe(true)
  })

  test('`create` is refused if parents are unknown, and the error names them all', () => {
    const board = new TestBoard()
    board.create('p')
    board.do('delete', { task: card('p') })
    const refusal = board.refused('create', { cards: [asked('a', ['p', 'x'])] })
    expect(refusal).toMatchObject({ code: 'task_not_found', details: { missing: [card('p'), card('x')] } })
  })

  test('`create` is refused with a parent on another board', () => {
    const board = new TestBoard()
    board.do('create_board', { slug: 'side' }, person, 'side')
    board.create('p')
    expect(board.refused('create', { cards: [asked('a', ['p'])] }, person, 'side').code).toBe('task_not_found')
  })

  test('`create` is refused for cards that wait for each other', () => {
    const board = new TestBoard()
    const refusal = board.refused('create', { cards: [asked('a', ['b']), asked('b', ['a'])] })
    expect(refusal.code).toBe('cycle')
    expect(refusal.message).toContain(`${card('a')} → ${card('b')}`)
  })

  test('a batch that is empty, has duplicate ids, or has a key on a later card is refused', () => {
    const board = new TestBoard()
    expect(board.refused('create', { cards: [asked('a'), asked('a')] }).code).toBe('invalid_input')
    const keyed = board.refused('create', { cards: [asked('a'), asked('b', [], { idempotencyKey: 'k' })] })
    expect(keyed.message).toContain('only the first card')
    expect(board.refused('create', { cards: [] }).code).toBe('invalid_input')
  })

  test('`create` is refused on an archived or unknown board', () => {
    const board = new TestBoard()
    board.do('set_board', { archived: true })
    expect(board.refused('create', { cards: [asked('a')] }).code).toBe('board_archived')
    expect(board.refused('create', { cards: [asked('a')] }, person, 'nowhere').code).toBe('board_not_found')
  })

  test('an agent cannot take the key of a card that a mention creates', () => {
    const board = new TestBoard()
    const worker = board.startWorker('w')
    const cards = [asked('a', [], { idempotencyKey: 'mention:c_0000000001:coder' })]
    expect(board.refused('create', { cards }, worker).code).toBe('not_allowed')
    expect(board.do('create', { cards })).toMatchObject({ created: true })
  })

  test('a card created by a worker stores its run', () => {
    const board = new TestBoard()
    board.create('a', { by: board.startWorker('w') })
    expect(board.task('a')).toMatchObject({ createdBy: 'agent:coder', createdByRun: runOf('w') })
  })
})
