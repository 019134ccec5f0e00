import * as z from 'zod'
import { line, name } from '../../core/input/fields.ts'
import { STATUSES } from '../../core/vocabulary.ts'
import { SORTS } from '../../storage/store.ts'
import { taskView } from '../shared/views.ts'

export const input = z.object({
  status: z.enum(STATUSES).exactOptional().describe('Only cards in this status'),
  assignee: name.nullable().exactOptional().describe('Only cards of this agent; null: of nobody'),
  mine: z.boolean().exactOptional().describe('Only cards of whoever asks; an assignee that is given counts more'),
  tenant: line.exactOptional().describe('Only cards for this tenant'),
  session: line.exactOptional().describe('Only cards of this session'),
  workflow: line.exactOptional().describe('Only cards of this workflow'),
  step: line.exactOptional().describe('Only cards at this step of a workflow'),
  parent: z.string().exactOptional().describe('Only children of this card'),
  text: line.exactOptional().describe('Only cards whose title or body contains this phrase'),
  archived: z.boolean().exactOptional().describe('Archived cards too'),
  sort: z.enum(SORTS).exactOptional().describe('The order; default: priority, then age'),
  limit: z.int().min(1).exactOptional().describe('At most so many'),
  after: z.string().exactOptional().describe('Only what comes behind this card in the order'),
})

export const output = z.array(taskView).readonly()
