import { unwrap } from '../../core/command.ts'
import { BoardError } from '../../core/errors.ts'
import { newRunId } from '../../util/mint.ts'
import { cardNow } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'
import { viewRun } from './run-view.ts'

export const claimTask = defineOperation({
  name: 'claim',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Claim a card for yourself. Finish with complete, block or reclaim.',
  schemas: ({ z, cardRef, runView, taskView }) => ({
    input: z.object({ task: cardRef }),
    output: z.object({ task: taskView, run: runView }),
  }),
  run: async ({ store, actor }, { task: typed }) => {
    const address = await resolveTask(store, typed)
    const claim = { task: address.id, runId: newRunId() }
    const { runId } = unwrap(await store.decide({ verb: 'claim_manual', board: address.board, actor, input: claim }))
    const run = await store.run(runId)
    if (run === null) throw new BoardError('internal', 'The run was opened but cannot be read back.')
    return { task: await cardNow(store, address), run: viewRun(run) }
  },
})
