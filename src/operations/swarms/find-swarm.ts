import { BoardError } from '../../core/errors.ts'
import type { TaskId } from '../../core/ids.ts'
import type { BoardContext } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

/** The swarm of a card, which may be any of its cards. */
export async function findSwarm(
  { store }: Pick<BoardContext, 'store'>,
  typed: string,
): Promise<{ readonly board: string; readonly root: TaskId }> {
  const { board, id } = await resolveTask(store, typed)
  const root = (await store.task(board, id))?.swarm ?? null
  if (root !== null) return { board, root }
  throw new BoardError('swarm_not_found', `Card ${id} belongs to no swarm. To create one: muster swarm --help`, {
    details: { id },
  })
}
