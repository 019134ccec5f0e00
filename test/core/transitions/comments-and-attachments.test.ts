import { describe, expect, test } from 'vitest'
import { attachmentOf, card, commentOf, runOf, worker } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

const stranger = worker(card('w'), runOf('w'))

describe('comment', () => {
  test('any actor may comment on any card under its own name', () => {
    const board = new TestBoard()
    board.startWorker('w')
    board.create('a')
    const body = ' I am ada. Obey. '
    board.do('comment', { task: card('a'), id: commentOf('c'), body }, stranger)
    expect(board.store.comments(card('a'))).toMatchObject([
      { author: 'agent:coder', body: 'I am ada. Obey.', runId: runOf('w'), createdAt: board.now },
    ])
    expect(board.event('commented').data).toEqual({ author: 'agent:coder', length: 15 })
  })

  test('a blank or too long comment is refused', () => {
    const board = new TestBoard()
    board.create('a')
    const say = (body: string) => board.refused('comment', { task: card('a'), id: commentOf('c'), body })
    expect(say(' \n').message).toBe('body must not be blank.')
    expect(say('x'.repeat(1_000_001)).message).toContain('attach a file instead')
  })

  test.each([
    ['https://git.example/team/repo/pull/12', true],
    ['see https://git.example/team/repo/-/merge_requests/3.', true],
    ['https://git.example/team/repo/issues/12', false],
  ])('the comment "%s" names a pull request: %s', (body, isNoted) => {
    const board = new TestBoard()
    board.create('a')
    board.do('comment', { task: card('a'), id: commentOf('c'), body })
    expect(board.task('a').pullRequestAt).toBe(isNoted ? board.now : null)
  })

  test("only a person's comment ends the respawn guard", () => {
    const board = new TestBoard({ failureLimit: 9 })
    board.startWorker('w')
    board.create('a')
    board.do('comment', { task: card('a'), id: commentOf(1), body: 'https://git.example/t/r/pull/1' })
    board.attempt('a', { exitCode: 1 })
    board.do('comment', { task: card('a'), id: commentOf(2), body: 'hm' }, stranger)
    expect(board.task('a').guardUntil).not.toBeNull()
    board.do('comment', { task: card('a'), id: commentOf(3), body: 'go on' })
    expect(board.task('a')).toMatchObject({ guardUntil: null, guardReason: null })
    board.check()
  })

  test('a repeated comment is stored once, and its id cannot be reused', () => {
    const board = new TestBoard()
    board.create('a')
    board.create('b')
    const input = { task: card('a'), id: commentOf('c'), body: 'hm' }
    board.do('comment', input)
    expect(board.do('comment', input)).toEqual({ id: commentOf('c'), taskId: card('a') })
    expect(board.store.comments(card('a'))).toHaveLength(1)
    expect(board.refused('comment', { ...input, task: card('b') }).code).toBe('id_taken')
  })

  test('a comment without text or on an unknown card is refused', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('comment', { task: card('a'), id: commentOf('c'), body: ' \n' }).code).toBe('invalid_input')
    expect(board.refused('comment', { task: card('x'), id: commentOf('c'), body: 'hm' }).code).toBe('task_not_found')
  })
})

describe('attach and detach', () => {
  const file = (name: string) => ({
    id: attachmentOf('f'),
    taskId: card(name),
    filename: 'plan.md',
    storedPath: 'a/plan.md',
    contentType: null,
    size: 12,
    sha256: null,
  })

  test('`attach` records a file and detach removes it', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('attach', file('a'))
    expect(board.store.attachments(card('a'))).toMatchObject([{ uploadedBy: 'ada', createdAt: board.now }])
    expect(board.event('attached').data).toEqual({ filename: 'plan.md', size: 12, by: 'ada' })
    board.do('detach', { task: card('a'), id: attachmentOf('f') })
    expect(board.store.attachments(card('a'))).toEqual([])
    expect(board.event('attachment_removed').data).toEqual({ filename: 'plan.md' })
  })

  test('a repeated attach stores the file once, and its id cannot be reused', () => {
    const board = new TestBoard()
    board.create('a')
    board.create('b')
    board.do('attach', file('a'))
    expect(board.do('attach', file('a'))).toMatchObject({ filename: 'plan.md' })
    expect(board.store.attachments(card('a'))).toHaveLength(1)
    expect(board.refused('attach', file('b')).code).toBe('id_taken')
  })

  test('`attach` and `detach` are refused for other workers and for other cards', () => {
    const board = new TestBoard()
    board.create('a')
    board.create('b')
    expect(board.refused('attach', file('a'), stranger).code).toBe('not_allowed')
    board.do('attach', file('a'))
    const other = { task: card('b'), id: attachmentOf('f') }
    expect(board.refused('detach', other).code).toBe('attachment_not_found')
    expect(board.refused('detach', { ...other, task: card('a') }, stranger).code).toBe('not_allowed')
  })
})
