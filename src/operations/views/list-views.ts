import { defineOperation } from '../shared/operation.ts'

export const listViews = defineOperation({
  name: 'views list',
  kind: 'query',
  actor: 'person',
  scope: 'store',
  summary: 'List the saved views.',
  schemas: ({ z, savedView }) => ({ input: z.object({}), output: z.array(savedView).readonly() }),
  run: ({ store }) => store.savedViews(),
})
