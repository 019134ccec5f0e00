import * as z from 'zod'
import { taskId } from '../../core/input/fields.ts'
import { typedCard } from '../shared/card-fields.ts'

export const input = z.object({ task: typedCard })
export const output = z.object({ id: taskId, branch: z.string(), path: z.string(), switched: z.boolean() })
