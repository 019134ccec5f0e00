/** The output schemas of a card and its history. */
import * as z from 'zod'
import { attachmentSchema } from '../../core/attachment.ts'
import { commentSchema } from '../../core/comment.ts'
import type { EventKind } from '../../core/event.ts'
import { EVENT_KINDS } from '../../core/event-kinds.ts'
import { runId, slug, taskId, text, time } from '../../core/input/fields.ts'
import { runSchema } from '../../core/run.ts'
import { taskSchema } from '../../core/task.ts'
import { blackboardEntry, swarmMember } from '../swarms/views.ts'

export const taskView = taskSchema.extend({ parents: z.array(taskId).readonly(), children: z.array(taskId).readonly() })

/** A card in a list, without the fields that can be long. */
export const listedTask = taskView.omit({ body: true, result: true, checks: true })

/** A run without its token hash, because a reader of a card must not be able to act as its worker. */
export const runView = runSchema.omit({ tokenHash: true, dispatcher: true })

export const eventView = z.object({
  id: z.int(),
  board: slug,
  kind: z.custom<EventKind>((value) => typeof value === 'string').meta({ type: 'string', enum: [...EVENT_KINDS] }),
  taskId: taskId.nullable(),
  runId: runId.nullable(),
  actor: text,
  createdAt: time,
  data: z.record(z.string(), z.unknown()).readonly(),
})

/** An attachment with the path of its file. The path is null if the file is not in this data folder. */
export const attachmentView = attachmentSchema.extend({ path: text.nullable() })

export const taskDetails = taskView.extend({
  /** The number of failures in a row that block the card, and whether the card or the board sets this number. */
  retryLimit: z.object({ value: z.int().min(1), from: z.enum(['card', 'board']) }),
  /** The checks that the agent file adds to the checks of the card. */
  agentChecks: z.array(text).readonly(),
  /** Whether runs committed work after the last landing. */
  hasUnlandedWork: z.boolean(),
  /** The newest comments, oldest first. There are at most 50. */
  comments: z.array(commentSchema).readonly(),
  earlierComments: z.int().min(0),
  /**
   * The newest answers to questions of a worker, oldest first. The answers are listed even if many comments came later.
   */
  answers: z.array(commentSchema).readonly(),
  /** The number of older answers since the card was last done. */
  earlierAnswers: z.int().min(0),
  events: z.array(eventView).readonly(),
  runs: z.array(runView).readonly(),
  attachments: z.array(attachmentSchema).readonly(),
  /** The cards of the swarm that the card belongs to, and its blackboard. Both are empty for other cards. */
  swarmMembers: z.array(swarmMember).readonly(),
  blackboard: z.array(blackboardEntry).readonly(),
})
export type TaskDetails = z.infer<typeof taskDetails>
