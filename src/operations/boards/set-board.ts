import { changeBoard } from './change-board.ts'
import { defineOperation } from '../shared/operation.ts'

export const setBoard = defineOperation({
  name: 'boards set',
  kind: 'command',
  actor: 'person',
  scope: 'board',
  summary: 'Change settings of a board.',
  schemas: () => import('./set-board.schema.ts'),
  run: (context, { slug, description, settings }) =>
    changeBoard(context, slug, { settings, ...(description === null ? {} : { description }) }),
})
