import * as z from 'zod'
import { boardView } from './board-view.schema.ts'

export const input = z.object({ archived: z.boolean().default(false).describe('Archived boards too') })
export const output = z.array(boardView).readonly()
