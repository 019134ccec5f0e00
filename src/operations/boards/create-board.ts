import { unwrap } from '../../core/command.ts'
import { boardNow } from './board-view.ts'
import { defineOperation } from '../shared/operation.ts'

export const createBoard = defineOperation({
  name: 'boards create',
  kind: 'command',
  actor: 'person',
  scope: 'store',
  summary: 'Make a board; one that is there already stays as it is.',
  schemas: () => import('./create-board.schema.ts'),
  run: async (context, { slug, name, description, settings }) => {
    const { store, actor } = context
    const input = { slug, description, settings, ...(name === null ? {} : { name }) }
    const { created } = unwrap(await store.decide({ verb: 'create_board', board: slug, actor, input }))
    return { ...(await boardNow(context, slug)), created }
  },
})
