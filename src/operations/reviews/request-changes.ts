import { BoardError } from '../../core/errors.ts'
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
    input: z.object({
      task: cardRef,
      reason: line.describe('What must change'),
      workers: z
        .array(z.string())
        .default([])
        .describe('In a run of the verifier of a swarm: the workers that must change their work; empty: all workers'),
    }),
    output: taskView,
  }),
  run: (context, { task, workers, ...input }) => {
    if (workers.length > 0)
      throw new BoardError(
        'not_in_review',
        'Only the verifier of a swarm names workers, in its own run. To reopen a worker: muster reopen <id>',
      )
    return actOnCard(context, task, {
      verb: 'request_changes',
      input: { ...input, runId: newRunId() },
      participle: 'sent back',
    })
  },
})
