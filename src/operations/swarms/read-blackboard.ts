import { defineOperation } from '../shared/operation.ts'
import { findSwarm } from './find-swarm.ts'

export const readBlackboard = defineOperation({
  name: 'blackboard',
  kind: 'query',
  actor: 'worker',
  scope: 'card',
  summary: 'Show the blackboard of a swarm.',
  schemas: ({ z, cardRef, line, blackboardView }) => ({
    input: z.object({
      task: cardRef,
      key: line.nullable().default(null).describe('Only the entry with this key'),
    }),
    output: blackboardView,
  }),
  run: async ({ store }, { task, key }) => {
    const { root } = await findSwarm({ store }, task)
    const entries = await store.blackboard(root)
    return { root, entries: key === null ? entries : entries.filter((entry) => entry.key === key) }
  },
})
