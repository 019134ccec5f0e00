import * as z from 'zod'
import { absolutePath } from '../../core/input/fields.ts'
import { skillView } from './skill-view.schema.ts'

export const input = z.object({
  folder: absolutePath.nullable().default(null).describe('A folder whose repository counts too'),
})
export const output = z.array(skillView).readonly()
