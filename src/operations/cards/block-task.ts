import { ASKED_BLOCK_KINDS } from '../../core/vocabulary.ts'
import { newRunId } from '../../util/mint.ts'
import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const blockTask = defineOperation({
  name: 'block',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Block a card until a person unblocks it.',
  schemas: ({ z, line, cardRef, taskView }) => ({
    input: z.object({
      task: cardRef,
      reason: line.describe('What must happen before the card can continue'),
      kind: z.enum(ASKED_BLOCK_KINDS).default('needs_input').describe('The kind of obstacle'),
    }),
    output: taskView,
  }),
  run: (context, { task, ...input }) =>
    actOnCard(context, task, {
      verb: 'block',
      input: { ...input, runId: newRunId() },
      participle: 'blocked',
      applied: (_, run) => run.outcome === 'blocked',
    }),
})
