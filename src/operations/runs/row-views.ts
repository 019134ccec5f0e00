/** The schemas of the rows of a transcript. */
import * as z from 'zod'
import { count, runId, time } from '../../core/input/fields.ts'
import { CALL_STATES, ROW_PARTS, TOOL_ACTIONS } from '../../harnesses/stream/row-kinds.ts'
import { eventView } from '../shared/views.ts'

const excerpt = z.object({
  text: z.string(),
  lines: count.describe('The lines of the whole text'),
  isWhole: z.boolean(),
})

const edit = z.object({
  path: z.string(),
  added: count,
  removed: count,
  lines: z.array(z.object({ sign: z.enum([' ', '-', '+']), text: z.string() })).readonly(),
  isWhole: z.boolean(),
})

const cause = z.enum(['rate_limited', 'billing', 'auth', 'context_overflow', 'permission', 'turn_limit', 'other'])
const usage = z.object({
  inputTokens: count.nullable(),
  outputTokens: count.nullable(),
  costUsd: z.number().min(0).nullable(),
})

/** Fields of every row. */
const row = {
  n: count.describe('The number of the row'),
  at: time.nullable().describe('When the row was written; null if no time was noted'),
}

const rowView = z.discriminatedUnion('kind', [
  z.object({ ...row, kind: z.literal('said'), text: excerpt }),
  z.object({
    ...row,
    kind: z.literal('call'),
    tool: z.string(),
    action: z.enum(TOOL_ACTIONS),
    title: z.string(),
    state: z.enum(CALL_STATES),
    endedAt: time.nullable(),
    exitCode: z.int().nullable(),
    input: excerpt.nullable(),
    output: excerpt.nullable(),
    edit: edit.nullable(),
  }),
  z.object({ ...row, kind: z.literal('output'), text: excerpt, aside: z.boolean() }),
  z.object({ ...row, kind: z.literal('changed'), path: z.string(), edit: edit.nullable() }),
  z.object({ ...row, kind: z.literal('note'), text: z.string() }),
  z.object({ ...row, kind: z.literal('used'), usage }),
  z.object({ ...row, kind: z.literal('waits'), cause, message: z.string() }),
  z.object({ ...row, kind: z.literal('failed'), cause, message: z.string() }),
  z.object({ ...row, kind: z.literal('omitted'), bytes: count }),
  z.object({ ...row, kind: z.literal('hidden'), lines: count }),
  z.object({ ...row, kind: z.literal('event'), event: eventView }),
])
export type RowView = z.infer<typeof rowView>

export const rowPart = z.enum(ROW_PARTS)

/** The filters of a transcript. `raw` shows the lines of the log as they are. */
export const ROW_FILTERS = ['all', 'messages', 'changes', 'raw'] as const
export type RowFilter = (typeof ROW_FILTERS)[number]

/** A page of rows. Positions count the rows that the filter shows. */
export const rowsView = z.object({
  run: runId,
  isLive: z.boolean(),
  /** The number of rows that the filter shows. */
  total: count,
  /** The position before which rows no longer change. */
  settled: count,
  /** The position of the first row of the page. */
  from: count,
  rows: z.array(rowView).readonly(),
  /** The positions of the rows that contain the text `find`. This is null without `find`. */
  matches: z.array(count).readonly().nullable(),
})
