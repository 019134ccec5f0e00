import { unwrap } from '../../core/command.ts'
import { BoardError } from '../../core/errors.ts'
import { defineOperation } from '../shared/operation.ts'
import { findSwarm } from './find-swarm.ts'

/** The tool of agents uses this operation for reading too, because a tool runs one operation. */
export const writeBlackboard = defineOperation({
  name: 'write-blackboard',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Write, change or remove an entry of the blackboard of a swarm.',
  schemas: ({ z, cardRef, line, text, blackboardView }) => ({
    input: z.object({
      task: cardRef,
      key: line.nullable().default(null).describe('The key of the entry'),
      value: text.nullable().default(null).describe('The new value; null: only read'),
      remove: z.boolean().default(false).describe('Remove the entry'),
    }),
    output: blackboardView,
  }),
  run: async ({ store, actor }, { task, key, value, remove }) => {
    const { board, root } = await findSwarm({ store }, task)
    if (remove && value !== null)
      throw new BoardError('invalid_input', 'Give a value or remove the entry, not both.', {
        details: { field: 'remove' },
      })
    if (key === null && (value !== null || remove))
      throw new BoardError('invalid_input', 'Give the key of the entry.', { details: { field: 'key' } })
    if (key !== null && (value !== null || remove))
      unwrap(await store.decide({ verb: 'write_blackboard', board, actor, input: { root, key, value } }))
    const entries = await store.blackboard(root)
    return { root, entries: key === null ? entries : entries.filter((entry) => entry.key === key) }
  },
})
