/** Finds the actions that a person can take on a card. Core lists the remedies that are legal now. */
import type { Reason, ReasonCode, Remedy } from '../../core/reasons/reason.ts'
import type { ColumnCard } from '../render/board-columns.ts'
import { pageOf } from './state.ts'
import type { CardContent, WatchState } from './state.ts'
import { columnsIn, selectedCard } from './selection.ts'

interface Subject {
  readonly id: string
  readonly board: string
  readonly title: string
  /** Why the card waits: all reasons while the page of the card is open, otherwise only the first one. */
  readonly reasons: readonly Reason[]
  readonly hasLog: boolean
}

const ofCard = ({ id, board, title, reason, work }: ColumnCard): Subject => ({
  id,
  board,
  title,
  reasons: reason === null ? [] : [reason],
  hasLog: work !== null,
})

const ofContent = ({ task, reasons }: CardContent): Subject => ({
  id: task.id,
  board: task.board,
  title: task.title,
  reasons: reasons ?? [],
  hasLog: task.runs.length > 0,
})

/** The card on which a key acts: the card of the open page, or the selected card of the board. */
export function subjectOf(state: WatchState): Subject | null {
  const page = pageOf(state)
  if (page === null) {
    const card = selectedCard(state)
    return card === null ? null : ofCard(card)
  }
  if (page.kind === 'card' && page.content !== null) return ofContent(page.content)
  if (page.kind !== 'log' && page.kind !== 'card') return null
  const card = columnsIn(state)
    .flatMap(({ cards }) => cards)
    .find(({ id }) => id === page.card)
  return card === undefined ? null : ofCard(card)
}

const isOneText = ({ asks: [first, second] }: Remedy): boolean =>
  second === undefined && (first === 'text' || first === 'reason')

/** The remedy with which the person answers the card. */
export const answerOf = (subject: Subject | null): Remedy | null =>
  subject?.reasons
    .flatMap(({ remedies }) => remedies)
    .find((remedy) => ['answer', 'unblock', 'promote'].includes(remedy.operation) && isOneText(remedy)) ?? null

/** The reasons of a card that failed, or that waits before its next attempt. */
const AFTER_FAILURE: ReadonlySet<ReasonCode> = new Set([
  'breaker_open',
  'attempts_spent',
  'retry_wait',
  'recent_success',
  'pull_request_linked',
])

/** The remedy that retries the card without more input. */
export const retryOf = (subject: Subject | null): Remedy | null =>
  subject?.reasons
    .flatMap(({ code, remedies }) => (AFTER_FAILURE.has(code) ? remedies : []))
    .find(({ operation, asks }) => ['unblock', 'promote'].includes(operation) && asks.length === 0) ?? null
