import { STATUSES } from '../../core/vocabulary.ts'
import { SORTS } from '../../storage/store.ts'
import { defineOperation } from '../shared/operation.ts'
import { columnFields, readColumns } from './read-columns.ts'

export const showColumn = defineOperation({
  name: 'column',
  kind: 'query',
  actor: 'person',
  scope: 'board',
  summary: 'Show a page of one column of the board.',
  schemas: (kit) => {
    const { z, boardCard, cardRef, slug, taskId, time } = kit
    return {
      input: z.object({
        ...columnFields({ ...kit, sorts: SORTS }),
        status: z.enum(STATUSES).describe('The status of the cards'),
        after: cardRef.exactOptional().describe('Only cards after this card in the order'),
        limit: z.int().min(1).max(500).default(50).describe('At most this many cards'),
      }),
      output: z.object({
        /** The board. Null means all boards. */
        board: slug.nullable(),
        now: time,
        cursor: z.string(),
        status: z.enum(STATUSES),
        cards: z.array(boardCard).readonly(),
        /** The value of `after` for the next page. Null means that the column has no more cards. */
        next: taskId.nullable(),
      }),
    }
  },
  run: async (context, { status, limit, ...asked }) => {
    // The operation reads one card more than a page holds. If this card exists, another page follows.
    const { columns, ...read } = await readColumns(context, { ...asked, statuses: [status], limit: limit + 1 })
    const found = columns[0]?.cards ?? []
    const cards = found.slice(0, limit)
    return { ...read, status, cards, next: found.length > limit ? (cards.at(-1)?.id ?? null) : null }
  },
})
