import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAbove } from '../../../src/core/limits/place.ts'
import type { Status } from '../../../src/core/vocabulary.ts'
import { HOUR, MINUTE, card, worker } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f']

/** Returns the cards of a column from top to bottom, as letters. */
const column = (board: TestBoard, status: Status = 'ready'): string =>
  board.store
    .state()
    .tasks.filter((task) => task.status === status && task.deletedAt === null)
    .toSorted((one, other) => (isAbove(one, other) ? -1 : 1))
    .map(({ id }) => id.slice(-1))
    .join('')

function boardOf(letters = LETTERS): TestBoard {
  const board = new TestBoard()
  for (const letter of letters) board.create(letter)
  return board
}

describe('the place of a card in its column', () => {
  test('a card moves before or after another card, and to both ends', () => {
    const board = boardOf()
    board.do('reorder', { task: card('e'), anchor: card('b'), side: 'above' })
    expect(column(board)).toBe('aebcdf')
    board.do('reorder', { task: card('a'), anchor: card('d'), side: 'below' })
    expect(column(board)).toBe('ebcdaf')
    board.do('reorder', { task: card('f'), anchor: null, side: 'above' })
    board.do('reorder', { task: card('e'), anchor: null, side: 'below' })
    expect(column(board)).toBe('fbcdae')
    expect(board.event('reordered').data).toEqual({ above: card('a'), below: null })
  })

  test('the cards of a column take any order that a person chooses', () => {
    const move = fc.record({
      from: fc.nat(LETTERS.length - 1),
      to: fc.option(fc.nat(LETTERS.length - 1)),
      side: fc.constantFrom('above' as const, 'below' as const),
    })
    const births = fc.array(fc.record({ wait: fc.nat(2), priority: fc.integer({ min: -1, max: 2 }) }), {
      minLength: LETTERS.length,
      maxLength: LETTERS.length,
    })
    fc.assert(
      fc.property(births, fc.array(move, { maxLength: 40 }), (all, moves) => {
        const board = new TestBoard()
        for (const [at, { wait, priority }] of all.entries()) {
          board.advance(wait)
          board.create(LETTERS[at] ?? '', { priority })
        }
        for (const { from, to, side } of moves) {
          const [moved = '', anchor = null] = [LETTERS[from], to === null ? null : LETTERS[to]]
          if (moved === anchor) continue
          const others = column(board).replace(moved, '')
          const index = anchor === null ? (side === 'above' ? 0 : others.length) : others.indexOf(anchor)
          const at = anchor !== null && side === 'below' ? index + 1 : index
          board.do('reorder', { task: card(moved), anchor: anchor === null ? null : card(anchor), side })
          expect(column(board)).toBe(others.slice(0, at) + moved + others.slice(at))
          board.check()
        }
      }),
      { numRuns: 60 },
    )
  })

  test('moving a card to its own place changes nothing', () => {
    const board = boardOf()
    board.do('reorder', { task: card('b'), anchor: card('a'), side: 'below' })
    expect(board.kinds('b')).toEqual(['created'])
  })

  test('a moved card stays shifted when its priority or the board settings change', () => {
    const board = boardOf()
    board.do('reorder', { task: card('f'), anchor: null, side: 'above' })
    board.do('set_board', { settings: { starvationMs: HOUR } })
    expect(column(board)).toBe('fabcde')
    board.do('edit', { task: card('c'), set: { priority: 1 } })
    expect(column(board)).toBe('cfabde')
    board.do('edit', { task: card('f'), set: { priority: 1 } })
    expect(column(board)).toBe('fcabde')
    board.check()
  })

  test('a new card starts before a card that was moved to the end long ago', () => {
    const board = boardOf(['a', 'b'])
    for (let times = 0; times < 20; times += 1)
      board.do('reorder', { task: card(times % 2 === 0 ? 'a' : 'b'), anchor: null, side: 'below' })
    board.advance(MINUTE)
    board.create('c')
    expect(column(board)).toBe('abc')
  })

  test('a running or finished card cannot move, nor any card beside itself or into another column', () => {
    const board = boardOf()
    board.create('g', { parents: ['a'] })
    expect(board.refused('reorder', { task: card('g'), anchor: card('a'), side: 'below' })).toMatchObject({
      code: 'wrong_status',
      message: expect.stringContaining('of its own column') as string,
    })
    expect(board.refused('reorder', { task: card('a'), anchor: card('a'), side: 'below' }).code).toBe('invalid_input')
    board.claim('b')
    board.do('complete', { task: card('c'), runId: board.mint().runId })
    for (const name of ['b', 'c'])
      expect(board.refused('reorder', { task: card(name), anchor: null, side: 'above' }).code).toBe('wrong_status')
    const { id: runId } = board.run('b')
    expect(
      board.refused('reorder', { task: card('d'), anchor: null, side: 'above' }, worker(card('b'), runId)),
    ).toMatchObject({ code: 'not_allowed' })
  })

  test('a card cannot move between cards whose priorities differ too much', () => {
    const board = new TestBoard({ starvationMs: 100 * 365 * 24 * HOUR })
    board.create('a', { priority: 1_000_000 })
    board.create('b', { priority: 1_000_000 })
    board.create('c')
    expect(board.refused('reorder', { task: card('c'), anchor: card('a'), side: 'above' }).code).toBe('invalid_input')
  })
})
