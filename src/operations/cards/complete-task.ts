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
  summary: 'Complete a card.',
  schemas: ({ z, absolutePath, json, line, text, cardRef, taskView }) => ({
    input: z.object({
      task: cardRef,
      summary: text.nullable().default(null).describe('What changed; workers of later cards read it'),
      result: text.nullable().default(null).describe('The result, if it is text'),
      metadata: json.nullable().default(null).describe('A JSON object to keep with the card'),
      artifacts: z.array(absolutePath).max(100).exactOptional().describe('Files on this machine to attach'),
      createdCards: z.array(z.string()).max(1000).exactOptional().describe('Cards that were created during the work'),
      force: line.nullable().default(null).describe('Skip the checks, for this reason'),
    }),
    output: taskView,
  }),
  run: (context, { task, artifacts = [], createdCards = [], ...input }) => {
    const runId = newRunId()
    return completeWithArtifacts(context, { task, runId, artifacts, metadata: input.metadata }, (given) =>
      finishCard(context, task, {
        verb: 'complete',
        runId,
        inputWith: (checks) => ({ ...input, ...given, ...checks, createdCards: requireWholeIds(createdCards), runId }),
        participle: 'completed',
      }),
    )
  },
})
