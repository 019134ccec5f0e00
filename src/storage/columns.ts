/** Reads the columns of one or several boards, with everything that their cards show, in one snapshot. */
import type { Board } from '../core/board.ts'
import type { TaskId } from '../core/ids.ts'
import { isInReview, isSatisfied, resumesInReview } from '../core/status.ts'
import { isSynthesizer } from '../core/swarm.ts'
import type { Task } from '../core/task.ts'
import type { Status } from '../core/vocabulary.ts'
import { groupBy } from '../util/group-by.ts'
import { progressOfCards, workOfCards } from './card-work.ts'
import { cardsById, cardsWithoutBody, gatingParentsOf } from './card-context.ts'
import { countsByStatus } from './cards.ts'
import type { Dialect } from './dialect.ts'
import { feedAfter } from './feed.ts'
import { finishedCount } from './finished.ts'
import { HEAD, columnCards, columnRange, countMatching, ownOrder } from './queries/columns.ts'
import type { Column } from './queries/columns.ts'
import { answerFact } from './queries/facts.ts'
import { compareRows, rangesBehind, taskPosition } from './queries/tasks.ts'
import { ACCOUNT, BOARD, LISTED_TASK, RUN, SLOT } from './rows.ts'
import { Search } from './search.ts'
import { select } from './select.ts'
import { sql } from './sql.ts'
import type { Sql } from './sql.ts'
import type { BoardColumn, BoardColumns, CardFacts, ColumnsQuery, SharedFacts, ShortTask } from './store.ts'
import { verificationsOf } from './swarms.ts'
import { all, askAll, first, together } from './tx.ts'
import type { Asking, Row, Rows, Tx } from './tx.ts'

export function* boardColumns(dialect: Dialect, asked: ColumnsQuery): Tx<BoardColumns> {
  const { cursor } = yield* feedAfter(dialect, null, 1)
  const shared = yield* sharedFacts(dialect)
  const since = shared.now - asked.recentMs
  const columns = yield* asked.filter?.text === undefined && asked.after === undefined
    ? firstPages(asked, since)
    : eachColumn(dialect, asked, since)
  const cards = columns.flatMap((column) => column.cards)
  const facts = yield* factsOf(cards, shared.boards, asked.scripts ?? [])
  const [work, progress] = yield* together<[BoardColumns['work'], BoardColumns['progress']]>([
    workOfCards(cards.filter(({ startedAt }) => startedAt !== null).map(({ id }) => id)),
    progressOfCards(cards.map(({ id }) => id)),
  ])
  return { cursor, columns, shared, facts, work, progress }
}

export function* sharedFacts(dialect: Pick<Dialect, 'now'>): Asking<SharedFacts> {
  const [now, boards, slots, accounts, openRuns] = yield* together<
    [number, SharedFacts['boards'], SharedFacts['slots'], SharedFacts['accounts'], SharedFacts['openRuns']]
  >([
    dialect.now(),
    select(BOARD, sql`select ${BOARD.columns} from board order by slug`),
    select(SLOT, sql`select ${SLOT.columns} from slot order by kind, name`),
    select(ACCOUNT, sql`select ${ACCOUNT.columns} from account order by name`),
    select(RUN, sql`select ${RUN.columns} from run where ended_at is null order by started_at, id`),
  ])
  return { now, boards, slots, accounts, openRuns }
}

/** Reads the first page of every column. All statements are sent together. */
function* firstPages(asked: ColumnsQuery, since: number): Tx<BoardColumn[]> {
  const counts = new Map<string, Readonly<Record<Status, number>>>()
  for (const board of asked.boards) counts.set(board, yield* countsByStatus(board))
  const sizeOf = ({ board, status }: Column): number => counts.get(board)?.[status] ?? 0
  const columns = asked.statuses.flatMap((status) => asked.boards.map((board): Column => ({ board, status, since })))
  const shown = columns.filter((column) => sizeOf(column) > 0)
  const [pages, counted] = yield* together<[readonly Rows[], number[]]>([
    askAll(shown.map((column) => pageOf(column, asked, []))),
    together<number[]>(shown.map((column) => countOf(column, asked, sizeOf(column)))),
  ])
  const found = new Map(shown.map((column, at) => [column, { rows: pages[at] ?? [], count: counted[at] ?? 0 }]))
  return asked.statuses.map((status) => {
    const own = shown.filter((column) => column.status === status)
    const cards = merge(
      own.map((column) => found.get(column)?.rows ?? []),
      status,
      asked,
    )
    return {
      status,
      count: own.reduce((sum, column) => sum + (found.get(column)?.count ?? 0), 0),
      isExact: status === 'done' || asked.filter === undefined || own.every((column) => sizeOf(column) <= HEAD),
      cards,
    }
  })
}

/** Counts the cards of a column. Without a filter, the count comes from the counters of the board (`size`). */
function* countOf(column: Column, { filter }: ColumnsQuery, size: number): Asking<number> {
  if (filter !== undefined && Object.keys(filter).length > 0)
    return Number((yield* first(countMatching(column, filter)))?.n ?? 0)
  return column.status === 'done' ? yield* finishedCount(column.board, column.since) : size
}

const orderIn = (status: Status, { sort }: ColumnsQuery) => sort ?? ownOrder(status)

const pageOf = (column: Column, asked: ColumnsQuery, range: readonly Sql[]): Sql =>
  columnCards(column, {
    filter: asked.filter ?? {},
    order: orderIn(column.status, asked),
    range,
    most: asked.most,
  })

/** Reads columns one after the other, for a search or for a page after a card. A page after a card is not counted. */
function* eachColumn(dialect: Pick<Dialect, 'engine'>, asked: ColumnsQuery, since: number): Tx<BoardColumn[]> {
  const columns: BoardColumn[] = []
  for (const status of asked.statuses) {
    const place =
      asked.after === undefined ? null : yield* first(taskPosition(null, asked.after, orderIn(status, asked)))
    const found: Rows[] = []
    for (const board of asked.boards) found.push(yield* rowsAfter(dialect, { board, status, since }, asked, place))
    const cards = merge(found, status, asked)
    const counts = []
    for (const [at, board] of asked.boards.entries())
      counts.push(yield* countMatches(dialect, { board, status, since }, asked, found[at]?.length ?? 0))
    const count = counts.reduce((sum, one) => sum + one.count, 0)
    columns.push({ status, count, isExact: counts.every(({ isExact }) => isExact), cards })
  }
  return columns
}

/** The number of matches on one board. A page that is not full contains all matches. */
function* countMatches(
  { engine }: Pick<Dialect, 'engine'>,
  column: Column,
  asked: ColumnsQuery,
  shown: number,
): Tx<{ readonly count: number; readonly isExact: boolean }> {
  const isAll = shown < asked.most
  if (isAll || asked.after !== undefined || asked.filter?.text === undefined) return { count: shown, isExact: isAll }
  const { board, status } = column
  const search = new Search(engine, board, { ...asked.filter, text: asked.filter.text, status })
  return yield* search.countIn(columnRange(column), HEAD)
}

function* rowsAfter(
  { engine }: Pick<Dialect, 'engine'>,
  column: Column,
  asked: ColumnsQuery,
  place: Row | null,
): Tx<Rows> {
  const { text, ...filter } = asked.filter ?? {}
  const order = orderIn(column.status, asked)
  const { board, status } = column
  const search = text === undefined ? null : new Search(engine, board, { ...filter, text, status, sort: order })
  const rows: Row[] = []
  for (const range of place === null ? [[]] : rangesBehind(order, place)) {
    const most = asked.most - rows.length
    if (most === 0) break
    rows.push(
      ...(yield* search === null
        ? all(pageOf(column, { ...asked, most }, range))
        : search.matchesIn([...columnRange(column), ...range], most)),
    )
  }
  return rows
}

/** Merges the pages of several boards into one page. */
function merge(pages: readonly Rows[], status: Status, asked: ColumnsQuery): readonly ShortTask[] {
  const rows = pages.length === 1 ? (pages[0] ?? []) : pages.flat().toSorted(compareRows(orderIn(status, asked)))
  return rows.slice(0, asked.most).map((row) => LISTED_TASK.decode(row))
}

function* factsOf(
  cards: readonly ShortTask[],
  boards: readonly Board[],
  scripts: readonly string[],
): Asking<CardFacts> {
  const unfinished = cards.filter(({ status }) => !isSatisfied(status))
  const settings = new Map(boards.map((board) => [board.slug, board.settings]))
  const gated = groupBy(
    unfinished.filter(({ openParents }) => openParents > 0),
    ({ board }) => board,
  )
  const reviewed = groupBy(
    unfinished.filter((task) => task.reviewer === null && (isInReview(task.status) || resumesInReview(task))),
    ({ board }) => board,
  )
  const isScript = ({ board, assignee, reviewer }: ShortTask): boolean => {
    const { defaultAssignee = null, reviewer: ofBoard = null } = settings.get(board) ?? {}
    return [assignee ?? defaultAssignee, reviewer ?? ofBoard].some((name) => name !== null && scripts.includes(name))
  }
  const scripted = groupBy(unfinished.filter(isScript), ({ board }) => board)
  const synthesizers = unfinished.filter(isSynthesizer).map(({ id }) => id)
  const inPlay = unfinished.flatMap(({ tournament }) => tournament?.entries ?? [])
  const [gatingParents, ownReviews, withoutBody, verifications, entries] = yield* together<
    [
      CardFacts['gatingParents'][],
      (readonly TaskId[])[],
      (readonly TaskId[])[],
      CardFacts['verifications'],
      readonly Task[],
    ]
  >([
    each(gated, gatingParentsOf),
    each(reviewed, (board, ids) => workedOnBy(settings.get(board)?.reviewer ?? null, board, ids)),
    each(scripted, cardsWithoutBody),
    verificationsOf(synthesizers),
    cardsById(inPlay),
  ])
  return {
    gatingParents: gatingParents.flat(),
    ownReviews: ownReviews.flat(),
    withoutBody: withoutBody.flat(),
    verifications,
    entries,
  }
}

const workedOnBy = (agent: string | null, board: string, ids: readonly TaskId[]): Asking<readonly TaskId[]> =>
  answerFact({ fact: 'worked_on', agent, ids }, board) as Asking<readonly TaskId[]>

/** Runs a query about the cards of each board. All queries are sent together. */
const each = <T>(
  cards: ReadonlyMap<string, readonly ShortTask[]>,
  ask: (board: string, ids: readonly TaskId[]) => Asking<T>,
): Asking<T[]> =>
  together<T[]>(
    [...cards].map(([board, some]) =>
      ask(
        board,
        some.map(({ id }) => id),
      ),
    ),
  )
