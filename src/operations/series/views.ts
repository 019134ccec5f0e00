/** The output schemas of series. */
import * as z from 'zod'
import { count, line, seriesId, slug, taskId, text, time } from '../../core/input/fields.ts'
import { SKIP_REASONS } from '../../core/vocabulary.ts'
import { listedTask } from '../shared/views.ts'

/** A series, or the beginning of its id. */
export const seriesRef = z.string().describe('The id of a series, or the beginning of one')

const noteTimes = {
  /** The time of the series that this is about, and when it was handled. */
  slot: time,
  at: time,
  /** How many times in a row had this cause. */
  times: count,
}

export const seriesView = z.object({
  id: seriesId,
  board: slug,
  title: line,
  assignee: text.nullable(),
  /** The schedule as it was written, and its time zone. */
  schedule: text,
  timeZone: text,
  /** The fields of its cards. */
  card: z.record(z.string(), z.unknown()).readonly(),
  skipIfRunning: z.boolean(),
  /** The next time. This is null while it is paused, or while its times are unknown. */
  nextAt: time.nullable(),
  pausedAt: time.nullable(),
  pausedBy: text.nullable(),
  /** The number of cards that it has created, and the last of them with its time. */
  created: count,
  lastTask: taskId.nullable(),
  lastSlot: time.nullable(),
  /** Why it created no card at its last time. Null means that it created one. */
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
  /** What keeps it from creating cards that start, each with the remedy. */
  problems: z.array(z.object({ code: text, message: text })).readonly(),
})
export type SeriesView = z.infer<typeof seriesView>

/** A series with its last cards. */
export const seriesDetails = seriesView.extend({
  cards: z.array(listedTask.omit({ parents: true, children: true })).readonly(),
})
export type SeriesDetails = z.infer<typeof seriesDetails>
