/** Finds a card by its id or by the beginning of its id. */
import { BoardError } from '../../core/errors.ts'
import { TASK_PREFIX, isTaskId } from '../../core/ids.ts'
import type { TaskId } from '../../core/ids.ts'
import type { Store } from '../../storage/store.ts'

export interface TaskAddress {
  readonly board: string
  readonly id: TaskId
}

/** Finds the card. Ids are unique in the store, so the current board does not matter. */
export async function resolveTask(
  store: Pick<Store, 'tasksByPrefix'>,
  typed: string,
  { deleted = false }: { deleted?: boolean } = {},
): Promise<TaskAddress> {
  const prefix = typed.trim().toLowerCase()
  if (!TASK_PREFIX.test(prefix)) {
    const hint = /^t_[0-9a-z]{0,2}$/.test(prefix) ? '. Give at least three characters after t_' : ''
    throw notFound(typed, hint)
  }
  const found = await store.tasksByPrefix(prefix, { deleted })
  const exact = found.find(({ id }) => id === prefix)
  const [only, second] = found
  if (exact === undefined && second !== undefined)
    throw new BoardError(
      'ambiguous_id',
      `${prefix} matches ${found.map(({ id }) => id).join(', ')}. Type more characters.`,
      {
        details: { prefix, ids: found.map(({ id }) => id) },
      },
    )
  const task = exact ?? only
  if (task === undefined) throw deleted ? notFound(typed) : await deletedOrUnknown(store, prefix)
  return { board: task.board, id: task.id }
}

/** The error if no card was found. If the card is in the trash, the error names the command that restores it. */
async function deletedOrUnknown(store: Pick<Store, 'tasksByPrefix'>, prefix: string): Promise<BoardError> {
  const [card, second] = await store.tasksByPrefix(prefix, { deleted: true })
  if (card === undefined || second !== undefined) return notFound(prefix)
  const message = `Card ${card.id} is in the trash. To restore it: muster undelete ${card.id}`
  return new BoardError('task_not_found', message, { details: { id: card.id, inTrash: true } })
}

const notFound = (typed: string, hint = ''): BoardError =>
  new BoardError('task_not_found', `There is no card ${typed}${hint}.`, { details: { id: typed } })

/** Checks the form of the ids that a worker reports. Core refuses ids of cards that do not exist. */
export const requireWholeIds = (typed: readonly string[]): TaskId[] =>
  typed.map((id) => {
    if (isTaskId(id)) return id
    throw new BoardError('invalid_input', `${id} is not a whole card id. Write t_ and its ten characters.`, {
      details: { id },
    })
  })
