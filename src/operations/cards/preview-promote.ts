import { promoteTask } from './promote-task.ts'
import { decideWith, prepareCommand } from '../../core/command.ts'
import type { DecideContext } from '../../core/command.ts'
import { BoardError } from '../../core/errors.ts'
import { loadVerb } from '../../core/transitions/load.ts'
import type { TaskView } from '../../storage/store.ts'
import { cardNow, answerFrom } from '../shared/act-on-card.ts'
import type { BoardContext } from '../shared/operation.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

/** Shows the result of a promotion without promoting the card. */
export const previewPromote = defineOperation({
  name: 'preview-promote',
  kind: 'query',
  actor: 'person',
  scope: 'card',
  summary: 'Check whether a card could be promoted, without changing it.',
  schemas: async ({ z, taskId, taskView }) => ({
    input: (await promoteTask.schemas()).input,
    output: z.object({
      /** The card, which stays unchanged. */
      task: taskView,
      /** The unfinished parents that `--force` would ignore. */
      waives: z.array(taskId).readonly(),
    }),
  }),
  run: async (context, { task: typed, reason, force }) => {
    const { store, actor } = context
    const { board, id } = await resolveTask(store, typed)
    const task = await cardNow(store, { board, id })
    const command = { verb: 'promote', board, actor, input: { task: id, ...answerFrom(reason), force } } as const
    const prepared = prepareCommand(command, await loadVerb('promote'))
    if (prepared instanceof BoardError) throw prepared
    const openParents = await store.openParents(board, id)
    const decision = decideWith(prepared, await readContext(context, task), { openParents, there: null })
    if (!decision.ok) throw new BoardError(decision.code, decision.message, { details: decision.details })
    return { task, waives: openParents }
  },
})

async function readContext({ store, actor }: BoardContext, task: TaskView): Promise<DecideContext> {
  const board = await store.board(task.board)
  if (board === null) throw new BoardError('board_not_found', `There is no board ${task.board}.`)
  const rows = {
    board,
    tasks: new Map([[task.id, task]]),
    parents: new Map(),
    runs: new Map(),
    slots: [],
    account: null,
    series: null,
    dispatcher: null,
  }
  return { rows, board, actor, now: await store.now() }
}
