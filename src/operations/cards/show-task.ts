import { BoardError } from '../../core/errors.ts'
import type { Board } from '../../core/board.ts'
import type { CommentId, TaskId } from '../../core/ids.ts'
import type { Task } from '../../core/task.ts'
import type { CommentPage, Store } from '../../storage/store.ts'
import { unlandedChanges } from '../../core/gates/unlanded-work.ts'
import { checksOfAgent } from '../agents/agent-checks.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'
import type { TaskAddress } from '../shared/resolve-task.ts'
import { runFilter, viewRun } from '../runs/run-view.ts'

export const showTask = defineOperation({
  name: 'show',
  kind: 'query',
  actor: 'worker',
  scope: 'card',
  summary: 'Show a card with its comments, runs and history.',
  schemas: ({ z, cardRef, runState, taskDetails }) => ({
    input: z.object({
      task: cardRef,
      commentsBefore: z.string().exactOptional().describe('Show the comments before the comment with this id'),
      ...runState,
    }),
    output: taskDetails,
  }),
  run: async (context, { task: typed, commentsBefore, ...state }) => {
    const { store } = context
    const isAsked = runFilter(state)
    const { board: slug, id } = await resolveTask(store, typed)
    const task = await store.task(slug, id)
    const [board, comments, answers, events, runs, attachments, swarm] = await Promise.all([
      store.board(slug),
      commentsOf(store, { board: slug, id }, commentsBefore),
      store.answers(slug, id),
      store.taskEvents(slug, id),
      store.runs(slug, id),
      store.attachments(slug, id),
      swarmOf(store, task?.swarm ?? null),
    ])
    if (task === null || board === null)
      throw new BoardError('task_not_found', `There is no card ${id}.`, { details: { id } })
    return {
      ...task,
      retryLimit: retryLimitOf(task, board),
      agentChecks: await checksOfAgent(context, task, runs),
      hasUnlandedWork: unlandedChanges(runs, task.landed) !== null,
      comments: comments.comments,
      earlierComments: comments.earlier,
      answers: answers.answers,
      earlierAnswers: answers.earlier,
      events,
      runs: runs.filter(isAsked).map(viewRun),
      attachments,
      ...swarm,
    }
  },
})

/** The members and the blackboard of the swarm that the card belongs to. Most cards belong to none. */
async function swarmOf(store: Store, root: TaskId | null) {
  if (root === null) return { swarmMembers: [], blackboard: [] }
  const [swarmMembers, blackboard] = await Promise.all([store.swarmMembers(root), store.blackboard(root)])
  return { swarmMembers, blackboard }
}

/** The number of failures in a row that block the card, and whether the card or the board sets this number. */
const retryLimitOf = ({ maxRetries }: Task, { settings }: Board) => ({
  value: maxRetries ?? settings.failureLimit,
  from: maxRetries === null ? ('board' as const) : ('card' as const),
})

async function commentsOf(store: Store, { board, id }: TaskAddress, before: string | undefined): Promise<CommentPage> {
  // The store refuses `before` if it is the id of a comment on another card.
  const page = await store.comments(board, id, before === undefined ? {} : { before: before as CommentId })
  if (page !== null) return page
  throw new BoardError(
    'invalid_input',
    `Card ${id} has no comment ${before}. To list its comments: muster show ${id}`,
    {
      details: { id, comment: before ?? null },
    },
  )
}
