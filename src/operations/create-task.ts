import { unwrap } from '../core/command.ts'
import { BoardError } from '../core/errors.ts'
import { newTaskId } from '../util/mint.ts'
import { defineOperation } from './operation.ts'
import { resolveTask } from './resolve-task.ts'

export const createTask = defineOperation({
  name: 'create',
  kind: 'command',
  actor: 'worker',
  scope: 'board',
  summary: 'Put a card on the board.',
  schemas: () => import('./create-task.schema.ts'),
  run: async ({ store, board, actor }, { parents, ...card }) => {
    const addresses = await Promise.all(parents.map((typed) => resolveTask(store, typed)))
    const outcome = await store.decide({
      verb: 'create',
      board,
      actor,
      input: { cards: [{ ...card, id: newTaskId(), parents: addresses.map(({ id }) => id) }] },
    })
    const { ids, created, differs } = unwrap(outcome)
    const id = ids[0]
    const task = id === undefined ? null : await store.task(board, id, { deleted: true })
    if (task === null) throw new BoardError('internal', 'The card was made and cannot be found.')
    return { task, created, differs }
  },
})
