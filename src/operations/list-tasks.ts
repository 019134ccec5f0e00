import { defineOperation } from './operation.ts'
import { requireBoard } from './require-board.ts'

export const listTasks = defineOperation({
  name: 'list',
  kind: 'query',
  actor: 'worker',
  scope: 'board',
  summary: 'List the cards of a board.',
  schemas: () => import('./list-tasks.schema.ts'),
  run: async ({ store, board }, filter) => {
    const tasks = await store.tasks(board, filter)
    if (tasks.length === 0) await requireBoard(store, board)
    return tasks
  },
})
