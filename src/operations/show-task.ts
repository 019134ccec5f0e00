import { BoardError } from '../core/errors.ts'
import type { Run } from '../core/run.ts'
import { defineOperation } from './operation.ts'
import { resolveTask } from './resolve-task.ts'

export const showTask = defineOperation({
  name: 'show',
  kind: 'query',
  actor: 'worker',
  scope: 'card',
  summary: 'Show a card with its comments, runs and history.',
  schemas: () => import('./show-task.schema.ts'),
  run: async ({ store }, { task: typed }) => {
    const { board, id } = await resolveTask(store, typed)
    const [task, comments, events, runs, attachments] = await Promise.all([
      store.task(board, id),
      store.comments(board, id),
      store.taskEvents(board, id),
      store.runs(board, id),
      store.attachments(board, id),
    ])
    if (task === null) throw new BoardError('task_not_found', `There is no card ${id}.`, { details: { id } })
    return { ...task, comments, events, runs: runs.map(withoutProof), attachments }
  },
})

const withoutProof = ({
  tokenHash: _tokenHash,
  dispatcher: _dispatcher,
  ...run
}: Run): Omit<Run, 'tokenHash' | 'dispatcher'> => run
