import { runnerOf } from '../core/admission.ts'
import { BoardError } from '../core/errors.ts'
import { briefCard } from '../workers/brief-card.ts'
import { defineOperation } from './operation.ts'
import { resolveTask } from './resolve-task.ts'

export const briefTask = defineOperation({
  name: 'context',
  kind: 'query',
  actor: 'worker',
  scope: 'card',
  summary: 'Print exactly what a worker would be told about a card.',
  schemas: () => import('./brief-task.schema.ts'),
  run: async ({ store, options }, { task: typed, role: asked }) => {
    const { board: slug, id } = await resolveTask(store, typed)
    const [task, board] = await Promise.all([store.task(slug, id), store.board(slug)])
    if (task === null || board === null)
      throw new BoardError('task_not_found', `There is no card ${id}.`, { details: { id } })
    const role = asked ?? (task.status === 'review' ? 'review' : 'work')
    const agent = role === 'review' ? runnerOf({ ...task, status: 'review' }, board) : task.assignee
    return { task, text: await briefCard(store, { home: options.home, task, role, agent }) }
  },
})
