/** The output schema of an item of the inbox. */
import * as z from 'zod'
import { INBOX_KINDS, INBOX_OPERATIONS } from '../../core/inbox.ts'
import { count, duration, line, runId, slug, taskId, text, time } from '../../core/input/fields.ts'
import { STATUSES } from '../../core/vocabulary.ts'
import { cardWork } from '../boards/views.ts'
import { reasonView } from '../cards/views.ts'
import { commandsView } from '../reviews/views.ts'

const remedy = z.object({
  operation: z.enum(INBOX_OPERATIONS),
  input: z.record(z.string(), z.union([text, z.boolean()])).readonly(),
  /** The input fields that the person must fill in, such as a time. */
  asks: z.array(z.string()).readonly(),
})

export const inboxItem = z.object({
  id: line,
  kind: z.enum(INBOX_KINDS),
  /** The board of the card. Null means that the item is an account. */
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
  /** The time at which the item began to wait. */
  since: time,
  /** The reason why the card or account waits. This is null for finished work that has not landed. */
  reason: reasonView.nullable(),
  /** The question of the agent, or the reason for the block. */
  question: text.nullable(),
  /** The commands that resolve the item, the most common one first. */
  remedies: z.array(remedy).readonly(),
  /** The last attempt at the card. Null means that the card has had no attempt. */
  work: cardWork.nullable(),
  /** The totals of all attempts at the card. Null means that the card has had no attempt. */
  spent: z.object({ attempts: count, costUsd: z.number().nullable(), durationMs: duration }).nullable(),
  /** The number of unfinished cards that wait for this card. */
  waitedFor: count,
  /** The commands that wait for approval. Null for items of another kind. */
  commands: commandsView
    .extend({
      /**
       * The hash of these commands. The caller sends it with the approval, so that only these commands are approved.
       */
      hash: z.string(),
      /** Whether the body is longer than the part that is shown. */
      isCut: z.boolean(),
      /** The author of the card, and the run in which an agent created it. */
      createdBy: line,
      createdByRun: runId.nullable(),
      /** The author of the body. Null means that the agent does not run the body as a script. */
      bodyBy: line.nullable(),
      /** The user and the machine that would run the commands. */
      runsAs: z.object({ user: text, host: text }),
    })
    .nullable(),
  /** Whether the work of a worktree card can land. Null means that the card has no worktree or no changes. */
  landing: z.enum(['possible', 'unfinished', 'elsewhere', 'landed']).nullable(),
  /**
   * The last actions of the agent, oldest first. Empty unless the caller asked for them and the log is on this machine.
   */
  steps: z.array(z.object({ kind: z.enum(['said', 'called', 'changed', 'waited', 'failed']), text })).readonly(),
  /** Other reasons why the card waits. They remain after the person has acted. */
  otherReasons: z.array(reasonView).readonly(),
  /** The command that logs in to the account. Null for items of another kind, or if the command is unknown. */
  logIn: line.nullable(),
  /** The agents that use the account. The list is empty for items of another kind. */
  agents: z.array(line).readonly(),
  /** Set if a person hid the item. `until` is null if the item stays hidden until the card or the account changes. */
  hidden: z.object({ until: time.nullable(), by: line, at: time }).nullable(),
})
export type InboxItem = z.infer<typeof inboxItem>
