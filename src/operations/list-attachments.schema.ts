import * as z from 'zod'
import { typedCard } from './card-fields.ts'
import { attachmentView } from './views.ts'

export const input = z.object({ task: typedCard })
export const output = z.array(attachmentView).readonly()
