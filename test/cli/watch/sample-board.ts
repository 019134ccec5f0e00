/** Makes a small board for the tests of the screen. */
import type { ColumnsView } from '../../../src/operations/boards/show-columns.ts'
import { STATUSES } from '../../../src/core/vocabulary.ts'
import type { Status } from '../../../src/core/vocabulary.ts'

export const NOW = 1_800_000_000_000

type Card = ColumnsView['columns'][number]['cards'][number]

/** Makes a card with only the fields that the screen shows. */
export const card = (id: string, title: string, more: object = {}): Card =>
  ({ id, title, board: 'default', assignee: 'coder', reason: null, run: null, work: null, ...more }) as unknown as Card

const reason = (code: string, params: object, ...remedies: object[]) => ({
  code,
  params,
  until: null,
  gate: 'blocked',
  remedies,
})

export const running = (id: string, title: string, lastOutput: string | null, activeAt = NOW): Card =>
  card(id, title, {
    status: 'running',
    work: {},
    run: { attempt: 1, by: 'coder', startedAt: NOW - 60_000, lastOutput, lastActivityAt: activeAt },
  })

export const asking = (id: string, title: string, question: string): Card =>
  card(id, title, {
    status: 'blocked',
    reason: reason(
      'blocked',
      { kind: 'needs_input', reason: question, by: 'coder' },
      { operation: 'answer', input: { task: id }, asks: ['text'] },
    ),
  })

export const failed = (id: string, title: string): Card =>
  card(id, title, {
    status: 'blocked',
    work: {},
    reason: reason(
      'breaker_open',
      { failures: 2, error: 'exit 3', reason: null },
      { operation: 'unblock', input: { task: id }, asks: [] },
    ),
  })

/** Makes a board with these cards. `counts` may set the number of cards of a column to a larger number. */
export const boardOf = (
  cards: Partial<Record<Status, readonly Card[]>>,
  { board = 'default', counts = {} }: { board?: string | null; counts?: Partial<Record<Status, number>> } = {},
): ColumnsView => ({
  board,
  now: NOW,
  cursor: 'a:1',
  columns: STATUSES.filter((status) => status !== 'archived').map((status) => {
    const found = (cards[status] ?? []).map((one) => ({ ...one, status }))
    return { status, count: counts[status] ?? found.length, isExact: true, cards: found }
  }),
})
