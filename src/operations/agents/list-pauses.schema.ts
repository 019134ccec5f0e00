import * as z from 'zod'
import { pause } from './pauses.schema.ts'

export const input = z.object({})
export const output = z.array(pause).readonly()
