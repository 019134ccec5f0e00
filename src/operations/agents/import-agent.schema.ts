import * as z from 'zod'
import { absolutePath } from '../../core/input/fields.ts'
import { agentView } from './agent-view.schema.ts'

export const input = z.object({
  from: absolutePath.describe('The file of the agent'),
  force: z.boolean().default(false).describe('Write over an agent of the same name'),
})
export const output = agentView
