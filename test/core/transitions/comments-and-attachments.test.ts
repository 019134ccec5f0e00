import { describe, expect, test } from 'vitest'
import { attachmentOf, card, clockwork, commentOf, orchestrator, runOf, worker } from '../../helpers/sample.ts'
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
    expect(board.do('comment', input)).toEqual({ id: commentOf('c'), taskId: card('a'), created: [] })
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

describe('mentions in a comment', () => {
  const mentions = [
    { agent: 'tester', card: card('m1') },
    { agent: 'critic', card: card('m2') },
  ]
  const said = (body = '@tester and @critic: check the login\n\nIt is slow.') => ({
    task: card('a'),
    id: commentOf('c'),
    body,
    mentions,
  })
  const openBoard = (settings: ConstructorParameters<typeof TestBoard>[0] = { mentions: 'create' }) => {
    const board = new TestBoard(settings)
    board.create('a', { tenant: 'blue', session: 's1', priority: 3, labels: ['web'] })
    return board
  }

  test('a comment of a person creates a child for each mentioned agent', () => {
    const board = openBoard()
    const { created } = board.do('comment', said())
    expect(created).toEqual([card('m1'), card('m2')])
    expect(board.task('m1')).toMatchObject({
      title: 'check the login',
      body: expect.stringMatching(
        /^@tester and @critic: check the login[^]*It is slow\.[^]*by ada on card t_\S+ “Card a”/,
      ),
      assignee: 'tester',
      status: 'todo',
      openParents: 1,
      tenant: 'blue',
      session: 's1',
      priority: 3,
      labels: ['web'],
      idempotencyKey: `mention:${commentOf('c')}:tester`,
      createdBy: 'ada',
      commandsApproved: true,
    })
    expect(board.task('a').status).toBe('ready')
    board.complete('a')
    expect(board.status('m2')).toBe('ready')
    board.check()
  })

  test('a repeated comment creates no further cards', () => {
    const board = openBoard()
    const first = board.do('comment', said())
    expect(board.do('comment', said())).toEqual(first)
    expect(board.kinds().filter((kind) => kind === 'created')).toHaveLength(3)
  })

  test('a card id that is taken refuses the whole comment', () => {
    const board = openBoard()
    board.create('m2')
    expect(board.refused('comment', said()).code).toBe('id_taken')
    expect(board.store.comments(card('a'))).toEqual([])
  })

  test.each(['offer', 'none'] as const)('a board with `mentions` set to %s creates no card', (mode) => {
    const board = openBoard({ mentions: mode })
    expect(board.do('comment', said()).created).toEqual([])
    expect(board.store.comments(card('a'))).toHaveLength(1)
  })

  test('mentions of workers and orchestrators create nothing', () => {
    for (const actor of [stranger, orchestrator]) {
      const board = openBoard()
      board.startWorker('w')
      expect(board.do('comment', said(), actor).created).toEqual([])
      expect(board.store.comments(card('a'))).toHaveLength(1)
    }
  })

  test('a comment is saved even if its cards cannot be created now', () => {
    const board = openBoard()
    board.complete('a')
    board.do('archive', { task: card('a') })
    board.do('sweep', { task: card('a'), stage: 'begin' }, clockwork)
    expect(board.do('comment', said()).created).toEqual([])
    expect(board.store.comments(card('a'))).toHaveLength(1)
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
