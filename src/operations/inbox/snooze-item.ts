import { defineOperation } from '../shared/operation.ts'
import { hideItem } from './hide-item.ts'

const DEFAULT_MS = 2 * 3_600_000

export const snoozeItem = defineOperation({
  name: 'inbox snooze',
  kind: 'command',
  actor: 'person',
  scope: 'store',
  summary: 'Hide an inbox item for a while, or until it changes.',
  schemas: ({ z, time, inboxItem }) => ({
    input: z.object({
      item: z.string().describe('A card or an account in the inbox'),
      until: time.nullable().default(null).describe('When the item is shown again; null: in 2 hours'),
    }),
    output: inboxItem.extend({ until: time }),
  }),
  run: async (context, { item, until: asked }) => {
    const until = asked ?? (await context.store.now()) + DEFAULT_MS
    return { ...(await hideItem(context, item, until)), until }
  },
})
