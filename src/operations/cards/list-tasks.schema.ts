import * as z from 'zod'
import { filterShape } from '../../core/input/card-input.ts'
import { line } from '../../core/input/fields.ts'
import { STATUSES } from '../../core/vocabulary.ts'
import { SORTS } from '../../storage/store.ts'
import { listedTask } from '../shared/views.ts'

export const input = z.object({
  ...filterShape,
  status: z.enum(STATUSES).exactOptional().describe('Only cards in this status'),
  mine: z.boolean().exactOptional().describe('Only cards assigned to you; an assignee takes precedence'),
  parent: z.string().exactOptional().describe('Only children of this card'),
  text: line.exactOptional().describe('Only cards that contain this text'),
  archived: z.boolean().exactOptional().describe('Archived cards too'),
  sort: z.enum(SORTS).exactOptional().describe('The order; default: priority, then age'),
  limit: z.int().min(1).exactOptional().describe('At most this many cards'),
  after: z.string().exactOptional().describe('Only cards after this one in the order'),
})

export const output = z.array(listedTask).readonly()
