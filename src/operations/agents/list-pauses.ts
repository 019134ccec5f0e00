import { defineOperation } from '../shared/operation.ts'
import { pausesNow } from './pauses.ts'

export const listPauses = defineOperation({
  name: 'list-pauses',
  kind: 'query',
  actor: 'person',
  scope: 'store',
  summary: 'List what is paused: by whom, since when, until when and why.',
  schemas: () => import('./list-pauses.schema.ts'),
  run: ({ store }) => pausesNow(store),
})
