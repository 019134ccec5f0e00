import * as z from 'zod'
import { text } from './input/fields.ts'

/** When a card is worked on over several turns: how many, and by whose judgement it is reached. */
export const goalSchema = z.object({ maxTurns: z.int().min(1).nullable(), judge: text.nullable() })
