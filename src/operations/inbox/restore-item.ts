import { unwrap } from '../../core/command.ts'
import { BoardError } from '../../core/errors.ts'
import { defineOperation } from '../shared/operation.ts'
import { findItem, nameOf } from './hide-item.ts'

export const restoreItem = defineOperation({
  name: 'inbox restore',
  kind: 'command',
  actor: 'person',
  scope: 'store',
  summary: 'Show a hidden inbox item again.',
  schemas: ({ z, inboxItem }) => ({
    input: z.object({ item: z.string().describe('A hidden card or account') }),
    output: inboxItem,
  }),
  run: async (context, { item: typed }) => {
    const item = await findItem(context, typed)
    if (item.hidden === null)
      throw new BoardError('nothing_to_undo', `${item.id} is not hidden. To list the inbox: muster inbox`, {
        details: { id: item.id },
      })
    const board = item.board ?? context.board
    unwrap(
      await context.store.decide({ verb: 'show_in_inbox', board, actor: context.actor, input: { item: nameOf(item) } }),
    )
    return { ...item, hidden: null }
  },
})
