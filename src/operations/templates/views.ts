/** The output schemas of templates. */
import * as z from 'zod'
import { count, taskId, text } from '../../core/input/fields.ts'
import { STATUSES } from '../../core/vocabulary.ts'

export const templateView = z.object({
  name: text,
  description: text.nullable(),
  from: z.enum(['home', 'repository']),
  file: text,
  isApproved: z.boolean(),
  variables: z
    .array(
      z.object({
        name: text,
        description: text.nullable(),
        isRequired: z.boolean(),
        isList: z.boolean(),
        byDefault: z.union([text, z.array(text).readonly()]).nullable(),
      }),
    )
    .readonly(),
  /** The number of cards in the file, where a loop counts as one card. */
  cards: count,
  /** The errors in the file, each with its line and column. */
  problems: z.array(text).readonly(),
})
export type TemplateView = z.infer<typeof templateView>

export const templateDetails = templateView.extend({ text })
export type TemplateDetails = z.infer<typeof templateDetails>

/** The cards that a template made, or would make. */
export const appliedTemplate = z.object({
  template: text,
  /** False in a preview, or if cards with this idempotency key already exist. */
  created: z.boolean(),
  cards: z
    .array(
      z.object({
        /** The name of the card in the template. In a loop, the item follows: `test/core`. */
        name: text,
        id: taskId.nullable(),
        title: text,
        assignee: text.nullable(),
        status: z.enum(STATUSES).nullable(),
        /** The names of its parents in the template. */
        parents: z.array(text).readonly(),
        labels: z.array(text).readonly(),
        checks: z.array(text).readonly(),
      }),
    )
    .readonly(),
  /** Agents that do not exist on this machine. */
  warnings: z.array(text).readonly(),
})
export type AppliedTemplate = z.infer<typeof appliedTemplate>
