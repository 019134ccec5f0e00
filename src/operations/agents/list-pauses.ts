import { defineOperation } from '../shared/operation.ts'
import { pausesNow } from './pauses.ts'

export const listPauses = defineOperation({
  name: 'list-pauses',
  kind: 'query',
  actor: 'person',
  scope: 'store',
  summary: 'List the current pauses, with their authors, times and reasons.',
  schemas: ({ z, pauseView }) => ({
    input: z.object({}),
    output: z.array(pauseView).readonly(),
  }),
  run: ({ store }) => pausesNow(store),
})
