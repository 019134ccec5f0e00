import * as z from 'zod'
import { runId } from '../../core/input/fields.ts'
import { askedLog } from './log-fields.ts'

export const input = z.object({ ...askedLog, follow: z.boolean().default(true).describe('Go on until the run ends') })
export const output = z.object({ run: runId, text: z.string() })
