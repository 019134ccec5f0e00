import * as z from 'zod'
import { slug } from '../../core/input/fields.ts'
import { boardView } from './board-view.schema.ts'

export const input = z.object({ slug: slug.describe('The board that is meant from now on') })
export const output = boardView
