/** Reads columns of one board or of all boards, with the reasons of their cards. */
import { readRoster } from '../../agents/roster.ts'
import { noBoard } from '../../core/errors.ts'
import { isRunning, isSatisfied } from '../../core/status.ts'
import type { Status } from '../../core/vocabulary.ts'
import type {
  BoardColumn,
  CardGroup,
  ColumnFilter,
  ColumnsQuery,
  GroupField,
  Sort,
  Store,
} from '../../storage/store.ts'
import { definedOnly } from '../../util/objects.ts'
import { ReasonFacts, factSource, scriptAgents } from '../cards/reasons-of-cards.ts'
import { RECENT_MS } from '../cards/recent.ts'
import { TEXT_MAX } from '../cards/search-text.ts'
import { moreFilters } from '../shared/more-filters.ts'
import { resolveTask } from '../shared/resolve-task.ts'
import type { BoardContext, SchemaKit } from '../shared/operation.ts'
import { requireBoard } from './require-board.ts'
import { viewCards } from './view-cards.ts'
import type { BoardCard } from './views.ts'

/** The fields of the input that choose and order the cards of columns. */
export const columnFields = ({
  z,
  filterShape,
  line,
  name,
  sorts,
  time,
}: SchemaKit & { readonly sorts: readonly Sort[] }) => ({
  ...filterShape,
  all: z.boolean().default(false).describe('The cards of all boards that are not archived'),
  assignees: z
    .array(name.nullable())
    .min(1)
    .readonly()
    .exactOptional()
    .describe('Only cards of these agents; null: unassigned cards'),
  ...moreFilters({ z, time }),
  text: line
    .refine((text) => text.length <= TEXT_MAX, `must be at most ${TEXT_MAX} characters long`)
    .exactOptional()
    .describe('Only cards with this text in their title, body, result or comments'),
  sort: z.enum(sorts).exactOptional().describe('The order; default: the order in which cards start'),
})

export interface ColumnsAsked extends ColumnFilter {
  readonly all: boolean
  readonly sort?: Sort
  readonly statuses: readonly Status[]
  readonly limit: number
  readonly after?: string
}

export interface ColumnView extends Omit<BoardColumn, 'cards'> {
  readonly cards: readonly BoardCard[]
}

export interface ColumnsRead {
  readonly board: string | null
  readonly now: number
  readonly cursor: string
  readonly columns: readonly ColumnView[]
}

type Context = Pick<BoardContext, 'store' | 'options' | 'board'>

export async function readColumns(context: Context, asked: ColumnsAsked): Promise<ColumnsRead> {
  const { store, options, board } = context
  const { all, sort, statuses, limit, after, ...given } = asked
  const roster = await readRoster(options.home)
  const boards = all ? await openBoards(context) : [board]
  const query: ColumnsQuery = {
    boards,
    statuses,
    recentMs: await recentMs(store, given),
    most: limit,
    scripts: scriptAgents(roster),
    ...(Object.keys(given).length === 0 ? {} : { filter: definedOnly(given) }),
    ...(sort === undefined ? {} : { sort }),
    ...(after === undefined ? {} : { after: (await resolveTask(store, after, { deleted: true })).id }),
  }
  const read = await store.columns(query)
  const facts = new ReasonFacts(roster, read.shared, options)
  if (!all && !facts.boards.has(board)) throw noBoard(board)
  const cards = read.columns.flatMap((column) => column.cards)
  const waiting = cards.filter(({ status }) => !isSatisfied(status) && !isRunning(status))
  const reasons = await facts.reasonsOf(factSource(read.facts), waiting)
  const views = new Map((await viewCards(cards, { ...read, reasons })).map((card) => [card.id, card]))
  return {
    board: all ? null : board,
    now: read.shared.now,
    cursor: read.cursor,
    columns: read.columns.map((column) => ({
      ...column,
      cards: column.cards.flatMap(({ id }) => views.get(id) ?? []),
    })),
  }
}

export interface GroupsAsked extends ColumnFilter {
  readonly all: boolean
  readonly by: GroupField
  readonly statuses: readonly Status[]
}

interface GroupsRead {
  readonly board: string | null
  readonly groups: readonly CardGroup[]
}

export async function groupsOf(context: Context, asked: GroupsAsked): Promise<GroupsRead> {
  const { store, board } = context
  const { all, by, statuses, ...given } = asked
  if (!all) await requireBoard(store, board)
  const boards = all ? await openBoards(context) : [board]
  const groups = await store.cardGroups({
    boards,
    by,
    statuses,
    recentMs: await recentMs(store, given),
    filter: definedOnly(given),
  })
  return { board: all ? null : board, groups }
}

/** The column of finished cards shows cards up to this age. A filter by time can ask for older cards. */
async function recentMs(store: Store, { changedSince, finishedSince }: ColumnFilter): Promise<number> {
  const asked = [changedSince, finishedSince].filter((since) => since !== undefined)
  return asked.length === 0 ? RECENT_MS : Math.max(RECENT_MS, (await store.now()) - Math.max(...asked) + 1)
}

async function openBoards({ store }: Context): Promise<readonly string[]> {
  return (await store.boards()).flatMap(({ slug, archivedAt }) => (archivedAt === null ? [slug] : []))
}
