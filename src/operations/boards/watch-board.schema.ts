import * as z from 'zod'
import { line, name } from '../../core/input/fields.ts'
import { followed } from './follow.schema.ts'

export const input = z.object({
  assignee: name.exactOptional().describe('Only cards of this agent'),
  tenant: line.exactOptional().describe('Only cards for this tenant'),
  kinds: z.array(z.string()).readonly().exactOptional().describe('Only events of these kinds'),
  since: z.string().exactOptional().describe('Begin after this cursor, not now'),
})
export const output = followed
