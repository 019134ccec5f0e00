import { unwrap } from '../../core/command.ts'
import { cardNow } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveFamily } from './resolve-family.ts'

export const linkTasks = defineOperation({
  name: 'link',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Make a card depend on another.',
  schemas: ({ z, cardRef, taskView }) => ({
    input: z.object({
      parent: cardRef.describe('The card that must finish first'),
      child: cardRef.describe('The card that depends on it'),
    }),
    /** The child card after the change. */
    output: taskView,
  }),
  run: async ({ store, actor }, typed) => {
    const { board, parent, child } = await resolveFamily(store, typed)
    unwrap(await store.decide({ verb: 'link', board, actor, input: { parent, child } }))
    return cardNow(store, { board, id: child })
  },
})
