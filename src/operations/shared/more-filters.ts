/** The filters of columns and lists that are not fields of a card. */
import { WAIT_KINDS } from '../../core/wait-kind.ts'
import { WITHOUT_FIELDS } from '../../storage/store.ts'
import type { SchemaKit } from './operation.ts'

export const moreFilters = ({ z, time }: Pick<SchemaKit, 'z' | 'time'>) => ({
  minPriority: z.int().exactOptional().describe('Only cards with at least this priority'),
  changedSince: time.exactOptional().describe('Only cards that changed at or after this time'),
  finishedSince: time.exactOptional().describe('Only cards that finished at or after this time'),
  without: z
    .array(z.enum(WITHOUT_FIELDS))
    .min(1)
    .readonly()
    .exactOptional()
    .describe('Only cards without a value in these fields'),
  waitsFor: z.enum(WAIT_KINDS).exactOptional().describe('Only cards with this reason to wait'),
})
