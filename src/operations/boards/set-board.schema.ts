import * as z from 'zod'
import { settingsPatchSchema } from '../../core/board.ts'
import { slug, text } from '../../core/input/fields.ts'
import { boardView } from './board-view.schema.ts'

export const input = z.object({
  slug: slug.describe('The board'),
  description: text.nullable().default(null).describe('What it is for; null: as it was'),
  settings: settingsPatchSchema.default({}).describe('The settings to change'),
})
export const output = boardView.extend({
  /** What became different by it. */
  changed: z.array(z.string()),
})
