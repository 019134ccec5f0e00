import * as z from 'zod'
import { duration, line, name, text } from '../../core/input/fields.ts'
import { HARNESS_NAMES } from '../../harnesses/index.ts'
import { ON_EXIT, PERMISSIONS } from '../../core/vocabulary.ts'
import { agentView } from './agent-view.schema.ts'

export const input = z.object({
  name: name.describe('Its name, and that of its file'),
  harness: z.enum(HARNESS_NAMES).default('command').describe('How it becomes a process'),
  args: z.array(text).readonly().default([]).describe('The program and its arguments, after --'),
  description: line.optional().describe('What it is good for'),
  env: z.array(text).readonly().default([]).describe('A variable that it may see'),
  account: name.optional().describe('Whose quota it spends'),
  maxRuntimeMs: duration.min(1).optional().describe('Longest run'),
  maxConcurrent: z.int().min(1).optional().describe('Runs at once'),
  permissions: z.enum(PERMISSIONS).optional().describe('What it may do'),
  model: line.optional().describe('Which model, in the words of its program'),
  provider: line.optional().describe('Who serves that model'),
  effort: line.optional().describe('How hard it thinks'),
  skills: z.array(text).readonly().default([]).describe('A skill that it works with'),
  onExit: z.enum(ON_EXIT).optional().describe('Whether exit 0 completes the card'),
  instruction: text.default('').describe('What it is told every time'),
})
export const output = agentView
