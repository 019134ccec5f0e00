import { describe, expect, test } from 'vitest'
import type { BoardCard, Column } from '../../web/src/api/queries.ts'
import { reasonLine, reasonPieces, toneOf } from '../../web/src/cards/reason-line.ts'
import type { ReasonView } from '../../src/client/index.ts'
import { firstLane, isRail, lanesOf, oldestRun, shownAttempt, stateSince } from '../../web/src/board/lanes.ts'
import { scrollToColumn } from '../../web/src/board/scroll-to-column.ts'
import { silenceOf } from '../../web/src/board/run-silence.ts'
import { layoutOf } from '../../web/src/board/use-wide-board.ts'
import { chooseBoard } from '../../web/src/routes/use-current-board.ts'
import { openCount } from '../../web/src/app/sidebar-data.ts'

const MINUTE = 60_000
const column = (status: Column['status'], count: number, cards: readonly Partial<BoardCard>[] = []): Column =>
  ({ status, count, cards, isExact: true }) as unknown as Column

describe('lanes', () => {
  test('cards in todo and scheduled wait in one lane', () => {
    const lanes = lanesOf([column('todo', 3), column('scheduled', 2), column('done', 1)])
    expect(lanes.find(({ name }) => name === 'waiting')?.count).toBe(5)
  })

  test('empty lanes, triage and done are rails until a person opens them', () => {
    const lanes = lanesOf([column('triage', 2), column('review', 0), column('ready', 1), column('done', 9)])
    const rails = (opened: readonly string[]) =>
      lanes.filter((lane) => isRail(lane, { opened: new Set(opened), showsEmpty: false })).map(({ name }) => name)
    expect(rails([])).toEqual(['triage', 'review', 'done'])
    expect(rails(['done'])).not.toContain('done')
  })

  test('a phone begins with the running cards, or with the first column that has open cards', () => {
    const first = (...columns: readonly Column[]) => firstLane(lanesOf(columns))
    const triage = column('triage', 2)
    expect(first(triage, column('todo', 1), column('running', 1))).toBe('running')
    expect(first(triage, column('todo', 0), column('blocked', 1), column('running', 0))).toBe('blocked')
    expect(first(triage, column('ready', 0), column('done', 9))).toBe('triage')
  })

  test('a column comes into view without cutting another column at the left edge', () => {
    const columns = [0, 1, 2, 3].map((at) => ({ start: 12 + at * 218, end: 12 + at * 218 + 216 }))
    const to = (index: number, from = 0) => scrollToColumn(columns, index, { from, width: 640 })
    expect([to(1), to(2), to(3), to(0, 218)]).toEqual([0, 224, 442, 0])
  })

  test('a card shows its latest attempt from the second attempt on, also while it waits', () => {
    const attempts = (run: number | null, work: number | null) =>
      shownAttempt({
        run: run === null ? null : { attempt: run },
        work: work === null ? null : { attempt: work },
      } as unknown as BoardCard)
    expect([attempts(null, null), attempts(1, null), attempts(2, 1), attempts(null, 2)]).toEqual([null, null, 2, 2])
  })

  test('the oldest run is the run that began first', () => {
    const run = (startedAt: number) => ({ run: { startedAt } as BoardCard['run'] })
    const [running] = lanesOf([column('running', 2, [run(50), run(20)])]).filter(({ name }) => name === 'running')
    expect(running && oldestRun(running)).toBe(20)
  })

  test('a card shows how long it has been in its present state', () => {
    const card = { createdAt: 1, completedAt: 9, reviewRequestedAt: 5, recentBlocks: [{ kind: 'needs_input', at: 7 }] }
    const since = (status: string, blockKind: string | null = null) =>
      stateSince({ ...card, status, blockKind } as unknown as BoardCard)
    expect([since('ready'), since('review'), since('blocked', 'needs_input'), since('done')]).toEqual([1, 5, 7, 9])
  })
})

describe('a reason', () => {
  const reason = (fields: Partial<ReasonView>): ReasonView => ({
    gate: 'blocked',
    code: 'blocked',
    params: {},
    remedies: [],
    until: null,
    ...fields,
  })
  const english = { language: 'en', now: 0 } as const

  test('the reason of a card quotes the question of the agent', () => {
    const question = reason({ params: { kind: 'needs_input', reason: 'Which currency?', by: 'claude' } })
    expect(reasonLine(question, english)).toBe('“Which currency?”')
    expect(toneOf(question)).toBe('act')
  })

  test('the reason of a card names the first card that it waits for, and counts the others', () => {
    const parents = [{ id: 't_1', title: 'Refund flow', status: 'ready' }]
    const waits = (count: number) => reason({ code: 'parents_open', params: { count, parents } })
    expect(reasonLine(waits(1), english)).toBe('Waits for Refund flow')
    expect(reasonLine(waits(3), english)).toBe('Waits for Refund flow and 2 more')
    expect(reasonLine(waits(3), { language: 'zh', now: 0 })).toBe('等待 Refund flow 等 3 张卡片')
    expect(reasonPieces(waits(1), english)).toEqual(['Waits for ', { name: 'Refund flow' }])
    expect(toneOf(waits(1))).toBe('quiet')
  })

  test('the reason of a card shows when the wait ends', () => {
    expect(reasonLine(reason({ code: 'retry_wait', until: 4 * MINUTE }), english)).toBe('Tries again in 4 minutes')
    expect(reasonLine(reason({ code: 'scheduled', params: { at: 120 * MINUTE } }), english)).toBe('Starts in 2 hours')
  })

  test('a reason code from a newer server is shown as a code', () => {
    expect(reasonLine({ ...reason({}), code: 'moon_phase' as never }, english)).toBe('moon phase')
  })
})

test('a run is shown as silent only after minutes without output', () => {
  const run = { startedAt: 0, lastActivityAt: 2 * MINUTE, seenAt: undefined }
  expect(silenceOf(run, 6 * MINUTE)).toBeNull()
  expect(silenceOf(run, 11 * MINUTE)).toBe(9 * MINUTE)
  expect(silenceOf({ ...run, seenAt: 10 * MINUTE }, 11 * MINUTE)).toBeNull()
})

test('the layout of the board depends on its width in units of the text size', () => {
  expect(layoutOf(20, 24)).toBe('phone')
  expect(layoutOf(78, 90)).toBe('narrow')
  expect(layoutOf(120, 140)).toBe('wide')
})

test('a page without a board in its URL shows the last board', () => {
  const board = (slug: string, more: object = {}) => ({ slug, isCurrent: false, archivedAt: null, ...more })
  const boards = [board('a'), board('b', { isCurrent: true }), board('old', { archivedAt: 1 })]
  expect(chooseBoard(boards, 'a')).toBe('a')
  expect(chooseBoard(boards, 'old')).toBe('b')
  expect(chooseBoard([board('a')], null)).toBe('a')
  expect(chooseBoard([], null)).toBeNull()
})

test('the sidebar counts unfinished cards', () => {
  expect(openCount({ ready: 2, running: 1, done: 40, archived: 9 })).toBe(3)
})
