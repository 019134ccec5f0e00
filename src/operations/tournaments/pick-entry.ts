import { unwrap } from '../../core/command.ts'
import { BoardError } from '../../core/errors.ts'
import { nudgeRun } from '../../runs/files/run-directory.ts'
import { newRunId } from '../../util/mint.ts'
import { cardNow } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

export const pickEntry = defineOperation({
  name: 'pick',
  kind: 'command',
  actor: 'orchestrator',
  scope: 'card',
  summary: 'Pick the winner of a tournament. Its result becomes the result of the card; the losers are archived.',
  schemas: ({ z, cardRef, reason, taskId, taskView }) => ({
    input: z.object({
      task: cardRef,
      entry: z.string().describe('The entry that wins, or the beginning of its id'),
      reason,
    }),
    output: z.object({
      task: taskView,
      winner: taskId,
      /** The entries that are archived when their runs have ended. */
      stopping: z.array(taskId).readonly(),
    }),
  }),
  run: async ({ store, actor, options: { home } }, { task: typed, entry: typedEntry, reason }) => {
    const root = await cardNow(store, await resolveTask(store, typed))
    if (root.tournament === null)
      throw new BoardError(
        'wrong_status',
        `Card ${root.id} is not a tournament. To create one: muster create … --best-of 3 --agents …`,
        { details: { id: root.id } },
      )
    const { id: entry } = await resolveTask(store, typedEntry)
    const input = { task: root.id, entry, entries: [...root.tournament.entries], runId: newRunId(), reason }
    const { stopping } = unwrap(await store.decide({ verb: 'pick', board: root.board, actor, input }))
    for (const loser of await store.tasksById(stopping))
      if (loser.currentRunId !== null) nudgeRun(home, loser.currentRunId)
    return { task: await cardNow(store, root), winner: entry, stopping }
  },
})
