import * as z from 'zod'
import { followed } from '../boards/follow.schema.ts'

export const input = z.object({
  task: z.string().describe('The id of a card, or the beginning of one'),
  since: z.string().exactOptional().describe('Only events after this cursor'),
  follow: z.boolean().default(true).describe('Go on with what comes'),
})
export const output = followed
