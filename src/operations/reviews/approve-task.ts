import { newRunId } from '../../util/mint.ts'
import { finishCard } from '../cards/finish-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const approveTask = defineOperation({
  name: 'approve',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Approve a card in review and mark it done.',
  schemas: ({ z, line, text, cardRef, taskView }) => ({
    input: z.object({
      task: cardRef,
      summary: text.nullable().default(null).describe('The result of the review'),
      force: line.nullable().default(null).describe('Skip the checks, for this reason'),
    }),
    output: taskView,
  }),
  run: (context, { task, ...input }) => {
    const runId = newRunId()
    return finishCard(context, task, {
      verb: 'approve',
      runId,
      inputWith: (checks) => ({ ...input, ...checks, runId }),
      participle: 'approved',
    })
  },
})
