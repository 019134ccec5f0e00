import * as z from 'zod'
import { taskDetails } from './views.ts'

export const input = z.object({ task: z.string().describe('The id of a card, or the beginning of one') })
export const output = taskDetails
