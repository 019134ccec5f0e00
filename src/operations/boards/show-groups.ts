import { STATUSES } from '../../core/vocabulary.ts'
import { GROUP_FIELDS, SORTS } from '../../storage/store.ts'
import { defineOperation } from '../shared/operation.ts'
import { columnFields, groupsOf } from './read-columns.ts'
import { SHOWN } from './show-columns.ts'

export const showGroups = defineOperation({
  name: 'groups',
  kind: 'query',
  actor: 'person',
  scope: 'board',
  summary: 'Count the cards of the board by agent, tenant, workflow, label or creator.',
  schemas: (kit) => {
    const { z, count, slug } = kit
    const { sort: _sort, ...filters } = columnFields({ ...kit, sorts: SORTS })
    return {
      input: z.object({
        ...filters,
        by: z.enum(GROUP_FIELDS).describe('The field whose values are the groups'),
        statuses: z.array(z.enum(STATUSES)).min(1).readonly().default(SHOWN).describe('Only cards in these statuses'),
      }),
      output: z.object({
        /** Null means all boards. */
        board: slug.nullable(),
        /**
         * The groups, largest first. A card with several labels is in several groups. The group with the value null has
         * the cards without a value.
         */
        groups: z.array(z.object({ value: z.string().nullable(), count })).readonly(),
      }),
    }
  },
  run: (context, asked) => groupsOf(context, asked),
})
