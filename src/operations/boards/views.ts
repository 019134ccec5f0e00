/** The output schemas of a board and its feed. */
import * as z from 'zod'
import { boardSchema } from '../../core/board.ts'
import { count, duration, runId, text, time } from '../../core/input/fields.ts'
import { OUTCOMES, PHASES, RUN_KINDS, STATUSES } from '../../core/vocabulary.ts'
import { reasonView } from '../cards/views.ts'
import { eventView, listedTask } from '../shared/views.ts'

export const boardView = boardSchema.omit({ updatedAt: true }).extend({
  /** Whether the board is the current board on this machine. */
  isCurrent: z.boolean(),
  /** The number of cards by status, without cards in the trash. */
  counts: z.record(z.enum(STATUSES), count),
  /** The number of all cards, including archived cards. */
  total: count,
})
export type BoardView = z.infer<typeof boardView>

const cursor = z.string().describe('The position in the feed after this event')

/** An event, or `resync`. `resync` means that the feed no longer has the cursor and continues at the current event. */
export const followed = z.union([eventView.extend({ cursor }), z.object({ kind: z.literal('resync'), cursor })])

/** The latest attempt at a card, with the checks and changes of the card. */
export const cardWork = z.object({
  run: runId,
  attempt: count,
  phase: z.enum(PHASES),
  /** The agent, or the person who claimed the card. */
  by: text,
  startedAt: time,
  endedAt: time.nullable(),
  outcome: z.enum(OUTCOMES).nullable(),
  /** The cost of the attempt in US dollars. Null means that the cost is not known. */
  costUsd: z.number().nullable(),
  tokens: count.nullable(),
  /** The result of the last checks. Null means that no check has run. */
  checks: z.object({ passed: count, total: count }).nullable(),
  /** The changes in the worktree. Null means that the card has no worktree, or that its first attempt has not ended. */
  changes: z.object({ files: count, added: count, removed: count }).nullable(),
})
export type CardWorkView = z.infer<typeof cardWork>

/** A card as a board shows it. */
export const boardCard = listedTask.omit({ parents: true, children: true, metadata: true }).extend({
  /** The first reason why the card does not start. */
  reason: reasonView.nullable(),
  /** The question of the agent or the reason for the block, cut to 200 characters. */
  question: text.nullable(),
  /** The open run of a running card. */
  run: z
    .object({
      id: runId,
      attempt: count,
      /** The kind of the run. `manual` means that a person claimed the card. */
      kind: z.enum(RUN_KINDS),
      /** The status of the card before the run. */
      fromStatus: z.enum(STATUSES),
      by: text,
      startedAt: time,
      elapsedMs: duration,
      /** The last note of the run, or its last output if the log is on this machine. */
      lastOutput: text.nullable(),
      /** The time at which the agent last made progress. Null means that it has made no progress yet. */
      lastActivityAt: time.nullable(),
    })
    .nullable(),
  work: cardWork.nullable(),
  /** The cards that wait for this card. Null means that no card waits for it. At most 1,000 cards are counted. */
  progress: z.object({ done: count, total: count }).nullable(),
})
export type BoardCard = z.infer<typeof boardCard>
