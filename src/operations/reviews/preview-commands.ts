import { defineOperation } from '../shared/operation.ts'
import { readCommands } from './read-commands.ts'
import { resolveTask } from '../shared/resolve-task.ts'

export const previewCommands = defineOperation({
  name: 'preview-commands',
  kind: 'query',
  actor: 'person',
  scope: 'card',
  summary: 'Show the commands that a card would run, without approving them.',
  schemas: ({ z, cardRef, cardCommands }) => ({
    input: z.object({ task: cardRef }),
    output: cardCommands,
  }),
  run: async (context, { task }) => readCommands(context, await resolveTask(context.store, task)),
})
