/** Reads the cards and accounts that wait for a person, over several boards, in one snapshot. */
import type { Account } from '../core/account.ts'
import { INBOX_KINDS } from '../core/inbox.ts'
import type { CardInboxKind, InboxKind, InboxMark } from '../core/inbox.ts'
import type { Dialect } from './dialect.ts'
import {
  INBOX_SOURCES,
  inboxCards,
  laneCards,
  marksOf,
  ownWorkInReview,
  pausedAccounts,
  reviewsWithoutReviewer,
} from './queries/inbox.ts'
import type { InboxRange } from './queries/inbox.ts'
import { ACCOUNT, INBOX_MARK, LISTED_TASK } from './rows.ts'
import { select } from './select.ts'
import { raw, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import type { InboxCard, InboxPage, InboxQuery } from './store.ts'
import { askAll } from './tx.ts'
import type { Asking } from './tx.ts'

type Query = { readonly kind: CardInboxKind; readonly sql: Sql }

/** The first items of the inbox. Items are sorted by kind, then by rank. */
export function* inboxPage(dialect: Pick<Dialect, 'now'>, asked: InboxQuery): Asking<InboxPage> {
  const now = yield* dialect.now()
  const { after = null, only = null, hidden = false, kinds = null, most } = asked
  const isAsked = (kind: InboxKind): boolean => kinds === null || kinds.includes(kind)
  const accounts =
    after === null && only === null && isAsked('account')
      ? yield* select(ACCOUNT, pausedAccounts(ACCOUNT.columns, { now, hidden }))
      : []
  const cards: InboxCard[] = []
  // Reads one kind of items at a time, because a full page needs no items of later kinds.
  for (const kind of INBOX_KINDS) {
    if (kind === 'account' || !isAsked(kind) || cards.length >= most || (after !== null && isBefore(kind, after.kind)))
      continue
    const range = { now, most, only, hidden, after: after !== null && after.kind === kind ? after : null }
    const queries = asked.boards.flatMap((board) => queriesOf(kind, { ...range, board: board.slug }, board, asked))
    const answers = yield* askAll(queries.map((query) => query.sql))
    const found = answers.flat().map((row) => LISTED_TASK.decode(row))
    for (const task of found.toSorted(byRank)) cards.push({ kind, task })
  }
  const shown = cards.slice(0, most)
  return { now, accounts, cards: shown, marks: hidden === false ? [] : yield* marksOn(now, accounts, shown) }
}

/** Reads the marks that hide one of these accounts and cards now. */
function* marksOn(
  now: number,
  accounts: readonly Account[],
  cards: readonly InboxCard[],
): Asking<readonly InboxMark[]> {
  const versions = new Map<string, number>([
    ...accounts.map(({ name, updatedAt }) => [`account ${name}`, updatedAt] as const),
    ...cards.map(({ task }) => [`card ${task.id}`, task.updatedAt] as const),
  ])
  if (versions.size === 0) return []
  const names = [...accounts.map(({ name }) => name), ...cards.map(({ task }) => task.id)]
  const marks = yield* select(INBOX_MARK, marksOf(names))
  return marks.filter(
    ({ kind, name, version, hiddenUntil }) =>
      versions.get(`${kind} ${name}`) === version && (hiddenUntil === null || hiddenUntil > now),
  )
}

const isBefore = (a: CardInboxKind, b: CardInboxKind): boolean => INBOX_KINDS.indexOf(a) < INBOX_KINDS.indexOf(b)

const byRank = (a: InboxCard['task'], b: InboxCard['task']): number =>
  a.rank === b.rank ? (a.id < b.id ? -1 : 1) : a.rank - b.rank

function queriesOf(
  kind: CardInboxKind,
  range: InboxRange,
  board: InboxQuery['boards'][number],
  { lanes }: Pick<InboxQuery, 'lanes'>,
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

/** Counts the items of each kind, up to `most` for each kind and board. */
export function* inboxSize(
  dialect: Pick<Dialect, 'now'>,
  asked: Pick<InboxQuery, 'boards' | 'lanes' | 'most'>,
): Asking<Readonly<Record<InboxKind, number>>> {
  const now = yield* dialect.now()
  const range = { now, most: asked.most, only: null, hidden: false, after: null }
  const queries = INBOX_KINDS.flatMap((kind) =>
    kind === 'account'
      ? []
      : asked.boards.flatMap((board) =>
          queriesOf(kind, { ...range, board: board.slug }, board, { lanes: asked.lanes }),
        ),
  )
  const answers = yield* askAll([
    sql`select count(*) as n from (${pausedAccounts(raw('name'), range)}) items`,
    ...queries.map((query) => sql`select count(*) as n from (${query.sql}) items`),
  ])
  const sizes = answers.map(([row]) => Number(row?.n ?? 0))
  const counts = Object.fromEntries(INBOX_KINDS.map((kind) => [kind, 0])) as Record<InboxKind, number>
  counts.account = sizes[0] ?? 0
  for (const [at, { kind }] of queries.entries()) counts[kind] += sizes[at + 1] ?? 0
  return counts
}
