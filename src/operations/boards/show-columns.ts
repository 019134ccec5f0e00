import { isArchived } from '../../core/status.ts'
import { STATUSES } from '../../core/vocabulary.ts'
import { SORTS } from '../../storage/store.ts'
import { defineOperation } from '../shared/operation.ts'
import type { OutputOf, SchemaKit } from '../shared/operation.ts'
import { columnFields, readColumns } from './read-columns.ts'

/** The statuses that a board shows by default. `archived` is missing, because no agent works on archived cards. */
export const SHOWN = STATUSES.filter((status) => !isArchived(status))

const schemas = (kit: SchemaKit) => {
  const { z, boardCard, count, slug, time } = kit
  return {
    input: z.object({
      ...columnFields({ ...kit, sorts: SORTS }),
      statuses: z
        .array(z.enum(STATUSES))
        .min(1)
        .readonly()
        .default(SHOWN)
        .describe('Only the columns of these statuses'),
      limit: z.int().min(1).max(500).default(50).describe('At most this many cards in each column'),
    }),
    output: z.object({
      /** Null means all boards. */
      board: slug.nullable(),
      now: time,
      /** The position in the feed at which the cards were read. */
      cursor: z.string(),
      columns: z
        .array(
          z.object({
            status: z.enum(STATUSES),
            /** The number of matching cards. In `done`, only cards that finished in the last 24 hours are counted. */
            count,
            /** Whether `count` is exact. A search in a very large column counts only its first cards. */
            isExact: z.boolean(),
            cards: z.array(boardCard).readonly(),
          }),
        )
        .readonly(),
    }),
  }
}

export type ColumnsView = OutputOf<typeof schemas>

export const showColumns = defineOperation({
  name: 'board',
  kind: 'query',
  actor: 'person',
  scope: 'board',
  summary: 'Show the board as columns, with the first cards of each.',
  schemas,
  run: (context, asked) => readColumns(context, asked),
})
