import { defineOperation } from '../shared/operation.ts'
import { hideItem } from './hide-item.ts'

export const finishItem = defineOperation({
  name: 'inbox done',
  kind: 'command',
  actor: 'person',
  scope: 'store',
  summary: 'Hide an inbox item until it changes.',
  schemas: ({ z, inboxItem }) => ({
    input: z.object({ item: z.string().describe('A card or an account in the inbox') }),
    output: inboxItem,
  }),
  run: (context, { item }) => hideItem(context, item, null),
})
