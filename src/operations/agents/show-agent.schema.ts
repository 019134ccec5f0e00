import * as z from 'zod'
import { name } from '../../core/input/fields.ts'
import { agentView } from './agent-view.schema.ts'

export const input = z.object({ name: name.describe('The agent') })
export const output = agentView.extend({
  /** What its file tells it, every time. */
  instruction: z.string(),
})
export type AgentDetails = z.infer<typeof output>
