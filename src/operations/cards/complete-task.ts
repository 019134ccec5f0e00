import { newRunId } from '../../util/mint.ts'
import { completeWithArtifacts } from './complete-with-artifacts.ts'
import { finishCard } from './finish-card.ts'
import { defineOperation } from '../shared/operation.ts'
import { wholeIds } from '../shared/whole-ids.ts'

export const completeTask = defineOperation({
  name: 'complete',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Say that a card is finished.',
  schemas: () => import('./complete-task.schema.ts'),
  run: (context, { task, artifacts = [], createdCards = [], ...said }) => {
    const runId = newRunId()
    return completeWithArtifacts(context, { task, runId, artifacts, metadata: said.metadata }, (given) =>
      finishCard(context, task, {
        verb: 'complete',
        input: { ...said, ...given, createdCards: wholeIds(createdCards), runId },
        participle: 'completed',
      }),
    )
  },
})
