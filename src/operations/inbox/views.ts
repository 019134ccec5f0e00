/** The output schema of an item of the inbox. */
import * as z from 'zod'
import { INBOX_KINDS, INBOX_OPERATIONS } from '../../core/inbox.ts'
import { line, slug, taskId, text, time } from '../../core/input/fields.ts'
import { STATUSES } from '../../core/vocabulary.ts'
import { reasonView } from '../cards/views.ts'

const remedy = z.object({
  operation: z.enum(INBOX_OPERATIONS),
  input: z.record(z.string(), z.union([text, z.boolean()])).readonly(),
  /** Fields of the input that the caller chooses. */
  asks: z.array(z.string()).readonly(),
})

export const inboxItem = z.object({
  /** The id of the card, or the name of the account. */
  id: line,
  kind: z.enum(INBOX_KINDS),
  /** Null for an account. */
  board: slug.nullable(),
  task: z
    .object({
      id: taskId,
      title: line,
      status: z.enum(STATUSES),
      assignee: line.nullable(),
      priority: z.int(),
      tenant: line.nullable(),
    })
    .nullable(),
  account: line.nullable(),
  /** When the item began to wait. */
  since: time,
  /** Why the card or account waits; null for finished work that has not landed. */
  reason: reasonView.nullable(),
  /** The question of the agent, or the reason for the block. */
  question: text.nullable(),
  /** The commands that clear the item; the most common one first. */
  remedies: z.array(remedy).readonly(),
})
export type InboxItem = z.infer<typeof inboxItem>
