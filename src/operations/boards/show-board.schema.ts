import * as z from 'zod'
import { slug } from '../../core/input/fields.ts'
import { boardView } from './board-view.schema.ts'

export const input = z.object({ slug: slug.nullable().default(null).describe('The board; null: the current one') })
export const output = boardView
