import * as z from 'zod'
import { settingsPatchSchema } from '../../core/board.ts'
import { line, slug, text } from '../../core/input/fields.ts'
import { boardView } from './board-view.schema.ts'

export const input = z.object({
  slug: slug.describe('Its short name: a-z, 0-9, _ and -'),
  name: line.nullable().default(null).describe('Its name for people; null: made from the slug'),
  description: text.default('').describe('What it is for'),
  settings: settingsPatchSchema.default({}).describe('What differs from the defaults'),
})
export const output = boardView.extend({
  /** False when it was there already; then nothing was changed. */
  created: z.boolean(),
})
