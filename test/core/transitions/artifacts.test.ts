import { describe, expect, test } from 'vitest'
import { attachmentOf, card } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

const file = (name: string) => ({
  id: attachmentOf(name),
  filename: `${name}.txt`,
  storedPath: `${card('a')}/${name}.txt`,
  contentType: null,
  size: 3,
  sha256: 'abc',
})

const ask = <E extends object>(board: TestBoard, extra: E) => ({
  task: card('a'),
  runId: board.mint().runId,
  ...extra,
})

describe('files of a completion', () => {
  test('completing a card records its files with a run', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('complete', ask(board, { files: [file('one'), file('two')] }))
    const run = board.run('a')
    expect(board.status('a')).toBe('done')
    expect(board.store.attachments(card('a'))).toMatchObject([
      { filename: 'one.txt', uploadedBy: 'ada', runId: run.id, createdAt: board.now },
      { filename: 'two.txt' },
    ])
    expect(board.kinds('a').slice(-3)).toEqual(['attached', 'attached', 'completed'])
    expect(board.event('completed').data).toMatchObject({ artifacts: ['one.txt', 'two.txt'] })
    board.check()
  })

  test('a refused completion records no files', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { parents: ['p'] })
    expect(board.refused('complete', ask(board, { files: [file('one')] })).code).toBe('parents_open')
    expect(board.store.attachments(card('a'))).toEqual([])
  })

  test('files for a live run are recorded at settlement', () => {
    const board = new TestBoard()
    board.create('a')
    board.claim('a')
    expect(board.do('complete', ask(board, { files: [file('one')] }))).toMatchObject({ pending: true })
    expect(board.store.attachments(card('a'))).toEqual([])
    expect(board.settle('a', { how: 'stopped' })).toMatchObject({ outcome: 'completed', status: 'done' })
    expect(board.store.attachments(card('a'))).toMatchObject([{ filename: 'one.txt', uploadedBy: 'ada' }])
    expect(board.event('completed').data).toMatchObject({ artifacts: ['one.txt'] })
    board.check()
  })

  test('a later command on the live run discards the files of the completion', () => {
    const board = new TestBoard()
    board.create('a')
    board.claim('a')
    board.do('complete', ask(board, { files: [file('one')] }))
    board.do('block', { ...ask(board, {}), reason: 'no', kind: 'needs_input' })
    expect(board.settle('a', { how: 'stopped' }).status).toBe('blocked')
    expect(board.store.attachments(card('a'))).toEqual([])
  })

  test('a completion with files is refused if the card has checks, unless it is forced', () => {
    const board = new TestBoard()
    board.create('a', { checks: ['npm test'] })
    const checker = { tokenHash: 'checker', machine: 'laptop' }
    expect(board.refused('complete', ask(board, { files: [file('one')], checker }))).toMatchObject({
      code: 'checks_required',
      message: expect.stringContaining('muster attach'),
    })
    board.do('complete', ask(board, { files: [file('one')], force: 'seen it' }))
    expect(board.store.attachments(card('a'))).toHaveLength(1)
  })

  test('a repeated completion records its files once', () => {
    const board = new TestBoard()
    board.create('a')
    const asked = ask(board, { files: [file('one')] })
    board.do('complete', asked)
    const before = board.store.state()
    board.do('complete', asked)
    expect(board.store.state()).toEqual(before)
  })

  test('an approval may record files', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('request_review', ask(board, {}))
    board.do('approve', ask(board, { files: [file('one')] }))
    expect(board.kinds('a').slice(-3)).toEqual(['attached', 'completed', 'approved'])
  })
})
