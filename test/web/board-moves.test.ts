/** Tests the pure functions for moving cards on the board. */
import { describe, expect, test } from 'vitest'
import type { BoardCard } from '../../web/src/api/queries.ts'
import { groupCalls } from '../../web/src/cards/actions/card-call.ts'
import type { CardCall } from '../../web/src/cards/actions/card-call.ts'
import { inverseOf } from '../../web/src/cards/actions/inverse.ts'
import { callOf } from '../../web/src/cards/actions/move-call.ts'
import { nextSteps, shifted } from '../../web/src/board/actions/card-entries.ts'
import { nextCard, successorOf } from '../../web/src/board/keyboard/next-card.ts'
import type { Lane } from '../../web/src/board/lanes.ts'
import { dialogWords } from '../../web/src/board/moving/dialog-words.ts'
import { planMove } from '../../web/src/board/moving/lane-plan.ts'
import { withPredictions } from '../../web/src/board/moving/predicted.ts'
import { extended, pruned, toggled } from '../../web/src/board/selection/selection.ts'

/** Makes a card with only the fields that the functions read. */
const card = (id: string, fields: Partial<BoardCard> = {}): BoardCard =>
  ({
    id,
    title: `Card ${id}`,
    status: 'ready',
    rank: 0,
    openParents: 0,
    blockKind: null,
    resumeStatus: null,
    archivedFrom: null,
    deletedAt: null,
    commandsApproved: true,
    run: null,
    held: false,
    scheduledAt: null,
    assignee: 'claude',
    priority: 0,
    labels: [],
    workspace: { kind: 'scratch', state: 'none', machine: null },
    ...fields,
  }) as unknown as BoardCard

const running = card('r', {
  status: 'running',
  run: { kind: 'agent', fromStatus: 'ready' } as NonNullable<BoardCard['run']>,
})

describe('a move to a lane', () => {
  test('the plan of a move has a step for each card, or the reason why a card cannot move', () => {
    const plan = planMove([card('a'), card('b', { status: 'todo', openParents: 1 })], 'done')
    expect(plan.moves.map(({ card: { id }, move }) => [id, move.operation])).toEqual([['a', 'complete']])
    expect(plan.denied.map(({ card: { id }, why }) => [id, why])).toEqual([['b', 'parents_open']])
  })

  test('a move to a lane with two statuses takes the first legal status', () => {
    expect(planMove([card('a')], 'waiting').moves[0]).toMatchObject({ to: 'scheduled', move: { effect: 'holds' } })
    const blocked = card('b', { status: 'blocked', blockKind: 'capability', openParents: 1 })
    expect(planMove([blocked], 'waiting').moves[0]).toMatchObject({ to: 'todo', move: { effect: 'retries' } })
    expect(planMove([card('c', { status: 'todo', openParents: 1 })], 'waiting').isHome).toBe(true)
  })

  test('one dialog asks for the texts of all moved cards', () => {
    expect(dialogWords(planMove([card('a'), running], 'blocked').moves)).toEqual({
      title: 'blockTitle',
      submit: 'block',
      label: 'reasonLabel',
      isRequired: true,
      notes: ['endsRun'],
    })
    const waiting = card('w', { status: 'todo', openParents: 1 })
    expect(dialogWords(planMove([waiting], 'ready').moves)).toMatchObject({ label: null, notes: ['dropsParents'] })
    expect(dialogWords(planMove([card('a')], 'done').moves)).toMatchObject({ label: 'summaryLabel' })
    expect(dialogWords(planMove([card('a'), card('b')], 'done').moves)).toMatchObject({ label: null })
  })

  test("the request contains the person's text in the field of its operation", () => {
    const [blocks] = planMove([card('a')], 'blocked').moves
    expect(blocks && callOf(blocks.move, 'Which port?')).toEqual({ name: 'block', input: { reason: 'Which port?' } })
    const [sends] = planMove([card('a', { status: 'review' })], 'ready').moves
    expect(sends && callOf(sends.move, 'Add a test')).toEqual({
      name: 'requestChanges',
      input: { reason: 'Add a test' },
    })
    const [starts] = planMove([card('a', { status: 'todo', openParents: 1 })], 'ready').moves
    expect(starts && callOf(starts.move)).toEqual({ name: 'promote', input: { force: true } })
  })

  test('the menu offers the next steps of a card', () => {
    const steps = (fields: Partial<BoardCard>) => nextSteps(card('a', fields)).map(({ step }) => step)
    expect(steps({ status: 'review' })).toEqual(['approve', 'sendBack'])
    expect(steps({ status: 'blocked', blockKind: 'needs_input' })).toEqual(['answer'])
    expect(steps({ status: 'blocked', blockKind: 'breaker' })).toEqual(['retry'])
    expect(steps({ status: 'triage' })).toEqual(['start'])
    expect(nextSteps(running).map(({ step }) => step)).toEqual(['stop'])
  })
})

describe('predicted moves', () => {
  const lane = (name: Lane['name'], ...cards: BoardCard[]): Lane => ({ name, count: cards.length, isCut: false, cards })
  const lanes = [
    lane('waiting', card('w', { status: 'scheduled', rank: 5 })),
    lane('ready', card('a', { rank: 1 }), card('b', { rank: 2 }), card('c', { rank: 3 })),
  ]
  const shown = (all: readonly Lane[]) =>
    all.map(({ name, count, cards }) => [name, count, cards.map(({ id }) => id).join('')])

  test('a moved card is shown in its new lane by its rank, and the counts change', () => {
    const moved = withPredictions(lanes, new Map([['b', { to: 'scheduled', place: null }]]))
    expect(shown(moved)).toEqual([
      ['waiting', 2, 'bw'],
      ['ready', 2, 'ac'],
    ])
    expect(moved[0]?.cards[0]?.status).toBe('scheduled')
  })

  test('a card is shown at the place where it was dropped', () => {
    const place = { anchor: 'a', side: 'above' } as const
    expect(shown(withPredictions(lanes, new Map([['c', { to: 'ready', place }]])))).toEqual([
      ['waiting', 1, 'w'],
      ['ready', 3, 'cab'],
    ])
  })

  test('a deleted card disappears, and other lanes remain the same objects', () => {
    const moved = withPredictions(lanes, new Map([['a', { to: null, place: null }]]))
    expect(shown(moved)[1]).toEqual(['ready', 2, 'bc'])
    expect(moved[0]).toBe(lanes[0])
    expect(withPredictions(lanes, new Map([['gone', { to: null, place: null }]]))).toBe(lanes)
  })
})

describe('the order of a column', () => {
  const column = ['a', 'b', 'c'].map((id) => card(id))
  test('a key moves a card by one place or to an end', () => {
    const of = (at: number, by: 'first' | 'up' | 'down' | 'last') => shifted(column[at] ?? card('x'), column, by)
    expect(of(1, 'up')).toEqual({ anchor: 'a', side: 'above' })
    expect(of(0, 'down')).toEqual({ anchor: 'b', side: 'below' })
    expect(of(2, 'first')).toEqual({ anchor: 'a', side: 'above' })
    expect(of(0, 'last')).toEqual({ anchor: 'c', side: 'below' })
    expect(of(0, 'up')).toBeNull()
    expect(of(2, 'last')).toBeNull()
    expect(shifted(running, [running, card('z', { status: 'running' })], 'down')).toBeNull()
  })
})

describe('the focus', () => {
  const columns = [{ cards: ['a', 'b', 'c'] }, { cards: [] }, { cards: ['d'] }]
  test('the arrow keys go to the next card and skip empty columns', () => {
    expect(nextCard(columns, null, 'down')).toBe('a')
    expect(nextCard(columns, 'a', 'down')).toBe('b')
    expect(nextCard(columns, 'a', 'up')).toBe('a')
    expect(nextCard(columns, 'c', 'right')).toBe('d')
    expect(nextCard(columns, 'd', 'left')).toBe('a')
    expect(nextCard(columns, 'd', 'right')).toBe('d')
    expect(nextCard([], null, 'down')).toBeNull()
  })

  test('the focus goes to the card after a removed card, or else to the card before', () => {
    expect(successorOf(['a', 'b', 'c'], 'b', ['a', 'c'])).toBe('c')
    expect(successorOf(['a', 'b', 'c'], 'c', ['a', 'b'])).toBe('b')
    expect(successorOf(['a'], 'a', [])).toBeNull()
  })
})

describe('the selection', () => {
  const of = (anchor: string | null, ...ids: string[]) => ({ ids: new Set(ids), anchor })
  test('cards are selected one by one, or as a range of their column', () => {
    expect(toggled(of(null), 'b')).toEqual(of('b', 'b'))
    expect(toggled(of('b', 'b'), 'b')).toEqual(of('b'))
    expect(extended(of('b', 'b'), 'd', ['a', 'b', 'c', 'd'])).toEqual(of('b', 'b', 'c', 'd'))
    expect(extended(of('b', 'b'), 'a', ['a', 'b', 'c'])).toEqual(of('b', 'b', 'a'))
    expect(extended(of('x', 'x'), 'a', ['a', 'b'])).toEqual(of('a', 'x', 'a'))
  })

  test('cards that no longer exist are not selected', () => {
    const before = of('a', 'a', 'b')
    expect(pruned(before, new Set(['a', 'b']))).toBe(before)
    expect(pruned(before, new Set(['b']))).toEqual(of('a', 'b'))
  })
})

describe('calls', () => {
  test('equal changes of several cards become one request', () => {
    const hold: CardCall = { name: 'hold', input: {} }
    const grouped = groupCalls([
      { id: 'a', call: hold },
      { id: 'b', call: { name: 'edit', input: { priority: 1 } } },
      { id: 'c', call: { name: 'hold', input: {} } },
    ])
    expect(grouped.map(({ ids }) => ids)).toEqual([['a', 'c'], ['b']])
  })

  test('a change is undone by its inverse, if an inverse exists', () => {
    const before = card('a', { assignee: 'codex', priority: 2, labels: ['x'], scheduledAt: 7 })
    expect(inverseOf({ name: 'delete', input: {} }, before)).toEqual({ name: 'undelete', input: {} })
    expect(inverseOf({ name: 'assign', input: { assignee: null } }, before)?.input).toEqual({ assignee: 'codex' })
    expect(inverseOf({ name: 'edit', input: { priority: 0 } }, before)?.input).toEqual({ priority: 2 })
    expect(inverseOf({ name: 'edit', input: { labels: [] } }, before)?.input).toEqual({ labels: ['x'] })
    expect(inverseOf({ name: 'schedule', input: { at: null } }, before)).toEqual({ name: 'unblock', input: {} })
    const scheduled = card('s', { status: 'scheduled', scheduledAt: 7 })
    expect(inverseOf({ name: 'unblock', input: {} }, scheduled)).toEqual({ name: 'schedule', input: { at: 7 } })
    expect(inverseOf({ name: 'hold', input: {} }, before)?.name).toBe('release')
    expect(inverseOf({ name: 'hold', input: {} }, card('h', { held: true }))).toBeNull()
    expect(inverseOf({ name: 'archive', input: {} }, running)).toBeNull()
    expect(inverseOf({ name: 'approve', input: {} }, before)).toBeNull()
    expect(inverseOf({ name: 'edit', input: { title: 'x' } }, before)).toBeNull()
  })
})
