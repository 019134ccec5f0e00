/** Finds a parent and a child by their ids. Both must be on the same board. */
import { BoardError } from '../../core/errors.ts'
import type { TaskId } from '../../core/ids.ts'
import type { Store } from '../../storage/store.ts'
import { resolveTask } from '../shared/resolve-task.ts'

export interface Family {
  readonly board: string
  readonly parent: TaskId
  readonly child: TaskId
}

export async function resolveFamily(
  store: Pick<Store, 'tasksByPrefix'>,
  typed: { readonly parent: string; readonly child: string },
): Promise<Family> {
  const parent = await resolveTask(store, typed.parent)
  const child = await resolveTask(store, typed.child)
  if (parent.board === child.board) return { board: child.board, parent: parent.id, child: child.id }
  throw new BoardError(
    'task_not_found',
    `Card ${parent.id} is on board ${parent.board}, and ${child.id} on ${child.board}. A card can only depend on cards of its own board.`,
    { details: { parent, child } },
  )
}
