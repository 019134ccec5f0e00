import * as z from 'zod'
import { bodyField, titleField } from '../core/card-input.ts'
import { duration, line, name } from '../core/fields.ts'
import { taskView } from './views.ts'

export const input = z.object({
  title: titleField,
  body: bodyField.nullable().default(null),
  assignee: name.nullable().default(null),
  parents: z.array(z.string()).default([]).describe('Cards that must be done first'),
  priority: z.int().default(0),
  idempotencyKey: line.nullable().default(null).describe('A second create with this key makes no second card'),
  tenant: line.nullable().default(null),
  maxRetries: z.int().min(1).nullable().default(null).describe('Failures in a row that open the breaker'),
  maxRuntimeMs: duration.min(1).nullable().default(null),
  held: z.boolean().default(false).describe('Do not start it before it is released'),
})

export const output = z.object({
  task: taskView,
  /** False when the idempotency key named a card that was there. */
  created: z.boolean(),
  /** In what that card differs from what was asked for. */
  differs: z.array(z.string()).readonly(),
})
