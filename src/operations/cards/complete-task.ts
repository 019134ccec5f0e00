import { newRunId } from '../../util/mint.ts'
import { completeWithArtifacts } from './complete-with-artifacts.ts'
import { finishCard } from './finish-card.ts'
import { defineOperation } from '../shared/operation.ts'
import { requireWholeIds } from '../shared/resolve-task.ts'

export const completeTask = defineOperation({
  name: 'complete',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Say that a card is finished.',
  schemas: ({ z, absolutePath, json, line, text, typedCard, taskView }) => ({
    input: z.object({
      task: typedCard,
      summary: text.nullable().default(null).describe('What changed, for whoever works on the next card'),
      result: text.nullable().default(null).describe('What came out of it'),
      metadata: json.nullable().default(null).describe('A JSON object to keep with the card'),
      artifacts: z
        .array(absolutePath)
        .max(100)
        .exactOptional()
        .describe('Files of this machine to attach with the completion'),
      createdCards: z
        .array(z.string())
        .max(1000)
        .exactOptional()
        .describe('Cards that were made while it was worked on'),
      force: line.nullable().default(null).describe('Why its checks are skipped'),
    }),
    output: taskView,
  }),
  run: (context, { task, artifacts = [], createdCards = [], ...said }) => {
    const runId = newRunId()
    return completeWithArtifacts(context, { task, runId, artifacts, metadata: said.metadata }, (given) =>
      finishCard(context, task, {
        verb: 'complete',
        input: { ...said, ...given, createdCards: requireWholeIds(createdCards), runId },
        participle: 'completed',
      }),
    )
  },
})
