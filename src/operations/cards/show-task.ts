import { BoardError } from '../../core/errors.ts'
import type { CommentId } from '../../core/ids.ts'
import { unlandedChanges } from '../../core/gates/unlanded-work.ts'
import { checksOfAgent } from '../agents/agent-checks.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'
import { runFilter, viewRun } from '../runs/run-view.ts'

export const showTask = defineOperation({
  name: 'show',
  kind: 'query',
  actor: 'worker',
  scope: 'card',
  summary: 'Show a card with its comments, runs and history.',
  schemas: () => import('./show-task.schema.ts'),
  run: async (context, { task: typed, commentsBefore, ...state }) => {
    const { store } = context
    const isAsked = runFilter(state)
    const address = await resolveTask(store, typed)
    const { board: slug, id } = address
    // Not checked here: an id that is not a comment of this card is refused below.
    const before = commentsBefore === undefined ? {} : { before: commentsBefore as CommentId }
    const [task, board, page, given, events, runs, attachments] = await Promise.all([
      store.task(slug, id),
      store.board(slug),
      store.comments(slug, id, before),
      store.answers(slug, id),
      store.taskEvents(slug, id),
      store.runs(slug, id),
      store.attachments(slug, id),
    ])
    if (task === null || board === null)
      throw new BoardError('task_not_found', `There is no card ${id}.`, { details: { id } })
    if (page === null)
      throw new BoardError(
        'invalid_input',
        `Card ${id} has no comment ${commentsBefore}: muster show ${id} lists them.`,
        {
          details: { id, comment: commentsBefore ?? null },
        },
      )
    const { comments, earlier: earlierComments } = page
    const { answers, earlier: earlierAnswers } = given
    const own = task.maxRetries
    const retryLimit = { value: own ?? board.settings.failureLimit, from: own === null ? 'board' : 'card' } as const
    const agentChecks = await checksOfAgent(context, task)
    const shown = runs.filter(isAsked).map(viewRun)
    const hasUnlandedWork = unlandedChanges(runs, task.landed) !== null
    return {
      ...task,
      retryLimit,
      agentChecks,
      hasUnlandedWork,
      comments,
      earlierComments,
      answers,
      earlierAnswers,
      events,
      runs: shown,
      attachments,
    }
  },
})
