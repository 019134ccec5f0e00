/** The output schemas of series. */
import * as z from 'zod'
import { count, line, seriesId, slug, taskId, text, time } from '../../core/input/fields.ts'
import { BLOCK_KINDS, SKIP_REASONS, STATUSES } from '../../core/vocabulary.ts'
import { listedTask } from '../shared/views.ts'

/** A series, or the beginning of its id. */
export const seriesRef = z.string().describe('The id of a series, or the beginning of one')

const noteTimes = {
  /** The scheduled time that the note is about, and the time at which the dispatcher handled it. */
  slot: time,
  at: time,
  /** How many times in a row the series created no card for this reason. */
  times: count,
}

export const seriesView = z.object({
  id: seriesId,
  board: slug,
  title: line,
  assignee: text.nullable(),
  /** The schedule as the user wrote it, and its time zone. */
  schedule: text,
  timeZone: text,
  /** The fields of every card that the series creates. */
  card: z.record(z.string(), z.unknown()).readonly(),
  skipIfRunning: z.boolean(),
  /** The next scheduled time. Null while the series is paused, or while Muster cannot compute its times. */
  nextAt: time.nullable(),
  pausedAt: time.nullable(),
  pausedBy: text.nullable(),
  /** The number of cards that the series has created, followed by the last card and its scheduled time. */
  created: count,
  lastTask: taskId.nullable(),
  lastSlot: time.nullable(),
  /** The last card as it is now. Null means that no card exists. */
  lastCard: z
    .object({ id: taskId, title: line, status: z.enum(STATUSES), blockKind: z.enum(BLOCK_KINDS).nullable() })
    .nullable(),
  /** Why the series created no card at its last time. Null means that it created one. */
  note: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('skipped'), reason: z.enum(SKIP_REASONS), ...noteTimes }),
      z.object({ kind: z.literal('failed'), code: text, message: text, ...noteTimes }),
    ])
    .nullable(),
  commandsApproved: z.boolean(),
  createdBy: line,
  createdAt: time,
  updatedAt: time,
  /** The problems that prevent new cards, or prevent the cards from starting. Each message contains the remedy. */
  problems: z.array(z.object({ code: text, message: text })).readonly(),
})
export type SeriesView = z.infer<typeof seriesView>

/** A series with its last cards. */
export const seriesDetails = seriesView.extend({
  cards: z.array(listedTask.omit({ parents: true, children: true })).readonly(),
})
export type SeriesDetails = z.infer<typeof seriesDetails>
