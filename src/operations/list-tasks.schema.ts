import * as z from 'zod'
import { line, name, taskId } from '../core/fields.ts'
import { STATUSES } from '../core/vocabulary.ts'
import { SORTS } from '../storage/store.ts'
import { taskView } from './views.ts'

export const input = z.object({
  status: z.enum(STATUSES).exactOptional(),
  assignee: name.exactOptional(),
  tenant: line.exactOptional(),
  session: line.exactOptional(),
  workflow: line.exactOptional(),
  step: line.exactOptional(),
  parent: taskId.exactOptional(),
  text: line.exactOptional(),
  archived: z.boolean().exactOptional(),
  sort: z.enum(SORTS).exactOptional(),
  limit: z.int().min(1).exactOptional(),
  after: taskId.exactOptional(),
})

export const output = z.array(taskView).readonly()
