import * as z from 'zod'
import { text } from './input/fields.ts'

/**
 * The goal of a card that an agent works on over several turns: the maximum number of turns, and the judge of the
 * result.
 */
export const goalSchema = z.object({ maxTurns: z.int().min(1).nullable(), judge: text.nullable() })
