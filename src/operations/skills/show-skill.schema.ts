import * as z from 'zod'
import { absolutePath } from '../../core/input/fields.ts'
import { skillView } from './skill-view.schema.ts'

export const input = z.object({
  name: z.string().describe('The skill'),
  folder: absolutePath.nullable().default(null).describe('A folder whose repository counts too'),
})
export const output = skillView.extend({
  /** The whole of its SKILL.md. */
  text: z.string(),
})
export type SkillDetails = z.infer<typeof output>
