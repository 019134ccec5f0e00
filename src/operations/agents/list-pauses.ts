import { defineOperation } from '../shared/operation.ts'
import { pausesNow } from './pauses.ts'

export const listPauses = defineOperation({
  name: 'list-pauses',
  kind: 'query',
  actor: 'person',
  scope: 'store',
  summary: 'List the pauses: by whom, since when, until when and why.',
  schemas: ({ z, pause }) => ({
    input: z.object({}),
    output: z.array(pause).readonly(),
  }),
  run: ({ store }) => pausesNow(store),
})
