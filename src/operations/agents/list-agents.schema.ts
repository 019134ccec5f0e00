import * as z from 'zod'
import { agentView } from './agent-view.schema.ts'

export const input = z.object({})
export const output = z.array(agentView).readonly()
