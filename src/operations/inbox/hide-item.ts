/** Hides one item of the inbox. */
import { unwrap } from '../../core/command.ts'
import { BoardError } from '../../core/errors.ts'
import { resolveTask } from '../shared/resolve-task.ts'
import type { BoardContext } from '../shared/operation.ts'
import { findItems } from './find-items.ts'
import type { InboxItem } from './views.ts'

export async function hideItem(context: BoardContext, typed: string, until: number | null): Promise<InboxItem> {
  const item = await findItem(context, typed)
  const { store, actor } = context
  const board = item.board ?? context.board
  unwrap(await store.decide({ verb: 'hide_from_inbox', board, actor, input: { item: nameOf(item), until } }))
  return item
}

/** The name of an item in the commands of core. */
export const nameOf = ({ id, task }: Pick<InboxItem, 'id' | 'task'>) =>
  task === null ? ({ kind: 'account', name: id } as const) : ({ kind: 'card', id: task.id } as const)

/**
 * Finds the item that the user typed. It also finds hidden items, so that a person can change how long an item stays
 * hidden.
 */
export async function findItem(context: BoardContext, typed: string): Promise<InboxItem> {
  const name = typed.trim().toLowerCase()
  if (!name.startsWith('t_')) return findAccount(context, name)
  const { id } = await resolveTask(context.store, typed)
  const { items } = await findItems(context, { board: null, limit: 1, only: id, hidden: true })
  const [item] = items
  if (item !== undefined) return item
  throw new BoardError('wrong_status', `Card ${id} is not in the inbox. To see why it waits: muster why ${id}`, {
    details: { id },
  })
}

async function findAccount(context: BoardContext, name: string): Promise<InboxItem> {
  const { items } = await findItems(context, { board: null, limit: 1, hidden: true })
  const found = items.find(({ account }) => account === name)
  if (found !== undefined) return found
  throw new BoardError(
    'account_not_found',
    `No card or account ${name} is in the inbox. To list the inbox: muster inbox`,
    {
      details: { name },
    },
  )
}
