/** The cards and accounts that wait for a person, over several boards, in one snapshot. */
import { INBOX_KINDS } from '../core/inbox.ts'
import type { CardInboxKind } from '../core/inbox.ts'
import type { Dialect } from './dialect.ts'
import {
  INBOX_SOURCES,
  inboxCards,
  laneCards,
  ownWorkInReview,
  pausedAccounts,
  reviewsWithoutReviewer,
} from './queries/inbox.ts'
import type { InboxRange } from './queries/inbox.ts'
import { ACCOUNT, LISTED_TASK } from './rows.ts'
import { select } from './select.ts'
import type { Sql } from './sql.ts'
import type { InboxCard, InboxPage, InboxQuery } from './store.ts'
import { askAll } from './tx.ts'
import type { Asking } from './tx.ts'

type Query = { readonly kind: CardInboxKind; readonly sql: Sql }

/** The first items in the order of the inbox: by kind, then by rank. */
export function* inboxPage(dialect: Pick<Dialect, 'now'>, asked: InboxQuery): Asking<InboxPage> {
  const now = yield* dialect.now()
  const { after = null, only = null, hidden = false, most } = asked
  const accounts =
    after === null && only === null ? yield* select(ACCOUNT, pausedAccounts(ACCOUNT.columns, { now, hidden })) : []
  const cards: InboxCard[] = []
  // One kind at a time, because a full page needs no later kind.
  for (const kind of INBOX_KINDS) {
    if (kind === 'account' || cards.length >= most || (after !== null && isBefore(kind, after.kind))) continue
    const range = { now, most, only, hidden, after: after !== null && after.kind === kind ? after : null }
    const queries = asked.boards.flatMap((board) => queriesOf(kind, { ...range, board: board.slug }, board, asked))
    const answers = yield* askAll(queries.map((query) => query.sql))
    const found = answers.flat().map((row) => LISTED_TASK.decode(row))
    for (const task of found.toSorted(byRank)) cards.push({ kind, task })
  }
  return { now, accounts, cards: cards.slice(0, most) }
}

const isBefore = (a: CardInboxKind, b: CardInboxKind): boolean => INBOX_KINDS.indexOf(a) < INBOX_KINDS.indexOf(b)

const byRank = (a: InboxCard['task'], b: InboxCard['task']): number =>
  a.rank === b.rank ? (a.id < b.id ? -1 : 1) : a.rank - b.rank

function queriesOf(
  kind: CardInboxKind,
  range: InboxRange,
  board: InboxQuery['boards'][number],
  { lanes }: InboxQuery,
): Query[] {
  if (kind === 'agent')
    return lanes.filter((lane) => lane.board === board.slug).map((lane) => ({ kind, sql: laneCards(range, lane) }))
  const sources = INBOX_SOURCES[kind].map((condition) => ({ kind, sql: inboxCards(range, condition) }))
  if (kind !== 'review') return sources
  const { reviewer } = board
  return [
    ...sources,
    { kind, sql: reviewer === null ? reviewsWithoutReviewer(range) : ownWorkInReview(range, reviewer) },
  ]
}
