import { BoardError } from '../../core/errors.ts'
import type { TaskId } from '../../core/ids.ts'
import { STATUSES } from '../../core/vocabulary.ts'
import { SORTS } from '../../storage/store.ts'
import type { HiddenCount, Store, TaskFilter } from '../../storage/store.ts'
import { defineOperation } from '../shared/operation.ts'
import type { BoardContext } from '../shared/operation.ts'
import { requireBoard } from '../boards/require-board.ts'
import { moreFilters } from '../shared/more-filters.ts'
import { resolveTask } from '../shared/resolve-task.ts'
import { TEXT_MAX } from './search-text.ts'

export const listTasks = defineOperation({
  name: 'list',
  kind: 'query',
  actor: 'worker',
  scope: 'board',
  summary: 'List the cards of a board.',
  schemas: ({ z, filterShape, line, listedTask, name, time }) => ({
    input: z.object({
      ...filterShape,
      status: z.enum(STATUSES).exactOptional().describe('Only cards in this status'),
      statuses: z.array(z.enum(STATUSES)).min(1).readonly().exactOptional().describe('Only cards in these statuses'),
      assignees: z
        .array(name.nullable())
        .min(1)
        .readonly()
        .exactOptional()
        .describe('Only cards of these agents; null: unassigned cards'),
      mine: z.boolean().exactOptional().describe('Only cards assigned to you; an assignee takes precedence'),
      parent: z.string().exactOptional().describe('Only children of this card'),
      ...moreFilters({ z, time }),
      text: line.exactOptional().describe('Only cards with this text in their title, body, result or comments'),
      archived: z.boolean().exactOptional().describe('Include archived cards'),
      unfinishedAt: time.exactOptional().describe('Leave out cards that were already done at this time'),
      sort: z.enum(SORTS).exactOptional().describe('The order; default: priority, then age'),
      limit: z.int().min(1).exactOptional().describe('At most this many cards'),
      after: z.string().exactOptional().describe('Only cards after this card in the order'),
    }),
    output: z.array(listedTask).readonly(),
  }),
  run: async (context, asked) => {
    const { store, board } = context
    const tasks = await store.tasks(board, await filterOf(context, asked))
    if (tasks.length === 0) await requireBoard(store, board)
    return tasks
  },
})

interface Asked extends Omit<TaskFilter, 'parent' | 'after'> {
  readonly mine?: boolean
  readonly parent?: string
  readonly after?: string
}

async function filterOf(
  { store, board, actor }: BoardContext,
  { mine = false, parent, after, ...filter }: Asked,
): Promise<TaskFilter> {
  if (filter.text !== undefined && filter.text.length > TEXT_MAX)
    throw new BoardError('invalid_input', `The text to search for must be at most ${TEXT_MAX} characters long.`)
  return {
    ...(mine ? { assignee: actor.name.toLowerCase() } : {}),
    ...filter,
    ...(parent === undefined ? {} : { parent: await cardOn(board, store, parent) }),
    ...(after === undefined ? {} : { after: await cardOn(board, store, after) }),
  }
}

/** Counts the cards that the filter `unfinishedAt` removes from a list. Only the last `most` such cards are counted. */
export async function countLeftOut(context: BoardContext, asked: Asked, most: number): Promise<HiddenCount> {
  const { unfinishedAt: at, ...filter } = await filterOf(context, asked)
  return at === undefined ? { count: 0, isCut: false } : context.store.hiddenCount(context.board, filter, { at, most })
}

/** Finds the last card of the previous page by its id. This card may have been deleted in the meantime. */
async function cardOn(board: string, store: Store, typed: string): Promise<TaskId> {
  const address = await resolveTask(store, typed, { deleted: true })
  if (address.board === board) return address.id
  const message = `Card ${address.id} is on board ${address.board}, not on ${board}. Add --board ${address.board}.`
  throw new BoardError('task_not_found', message, { details: { ...address } })
}
