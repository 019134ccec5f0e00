import { newRunId } from '../../util/mint.ts'
import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const requestChanges = defineOperation({
  name: 'request-changes',
  kind: 'command',
  actor: 'orchestrator',
  scope: 'card',
  summary: 'Send a card in review back to its worker.',
  schemas: ({ z, line, cardRef, taskView }) => ({
    input: z.object({ task: cardRef, reason: line.describe('What must change') }),
    output: taskView,
  }),
  run: (context, { task, ...input }) =>
    actOnCard(context, task, {
      verb: 'request_changes',
      input: { ...input, runId: newRunId() },
      participle: 'sent back',
    }),
})
