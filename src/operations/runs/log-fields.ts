import * as z from 'zod'
import { typedCard } from '../shared/card-fields.ts'

/** What is asked of a log, whether it is read once or followed. */
export const askedLog = {
  task: typedCard,
  run: z.string().exactOptional().describe('An attempt, or the id of a run; else the latest'),
  supervisor: z.boolean().exactOptional().describe('What its supervisor said, not the agent'),
  tail: z
    .union([z.object({ lines: z.int().min(0) }), z.object({ bytes: z.int().min(0) })])
    .exactOptional()
    .describe('Only the end: lines, or a size such as 64k'),
}
