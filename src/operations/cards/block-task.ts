import { ASKED_BLOCK_KINDS } from '../../core/vocabulary.ts'
import { newRunId } from '../../util/mint.ts'
import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const blockTask = defineOperation({
  name: 'block',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Stop a card until a person lets it go on.',
  schemas: ({ z, line, typedCard, taskView }) => ({
    input: z.object({
      task: typedCard,
      reason: line.describe('What must happen before it can go on'),
      kind: z.enum(ASKED_BLOCK_KINDS).default('needs_input').describe('What kind of obstacle it is'),
    }),
    output: taskView,
  }),
  run: (context, { task, ...said }) =>
    actOnCard(context, task, {
      verb: 'block',
      input: { ...said, runId: newRunId() },
      participle: 'blocked',
      applied: (_, run) => run.outcome === 'blocked',
    }),
})
