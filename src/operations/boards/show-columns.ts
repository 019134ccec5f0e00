import type { Run } from '../../core/run.ts'
import { lastOutputOf } from '../runs/last-output.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { RECENT_MS } from '../cards/recent.ts'
import { isRunning, isSatisfied } from '../../core/status.ts'
import { STATUSES } from '../../core/vocabulary.ts'
import { ReasonFacts, firstObstacle } from '../cards/reasons-of-cards.ts'
import { defineOperation } from '../shared/operation.ts'
import type { OutputOf, SchemaKit } from '../shared/operation.ts'
import { noBoard } from '../../core/errors.ts'

const schemas = ({ z, count, duration, listedTask, reasonView, runId, slug, text, time }: SchemaKit) => ({
  input: z.object({
    limit: z.int().min(1).max(500).default(50).describe('At most this many cards in each column'),
  }),
  output: z.object({
    board: slug,
    now: time,
    /** The position in the feed before these cards were read: events after it may change them. */
    cursor: z.string(),
    columns: z
      .array(
        z.object({
          status: z.enum(STATUSES),
          /** The number of cards in the column. `done` counts only cards that finished in the last 24 hours. */
          count,
          cards: z
            .array(
              listedTask.omit({ parents: true, children: true }).extend({
                /** The first reason why the card does not start. */
                reason: reasonView.nullable(),
                run: z
                  .object({
                    id: runId,
                    attempt: count,
                    by: text,
                    startedAt: time,
                    elapsedMs: duration,
                    /** The last note of the run, or its last output if the log is on this machine. */
                    lastOutput: text.nullable(),
                  })
                  .nullable(),
              }),
            )
            .readonly(),
        }),
      )
      .readonly(),
  }),
})

export type ColumnsView = OutputOf<typeof schemas>

async function viewRun(run: Run, now: number) {
  const { id, taskId, attempt, agent, claimedBy, startedAt } = run
  const elapsedMs = Math.max(0, now - startedAt)
  const lastOutput = await lastOutputOf(run)
  return [taskId, { id, attempt, by: agent ?? claimedBy, startedAt, elapsedMs, lastOutput }] as const
}

export const showColumns = defineOperation({
  name: 'board',
  kind: 'query',
  actor: 'person',
  scope: 'board',
  summary: 'Show the board as columns, with the first cards of each.',
  schemas,
  run: async (context, { limit }) => {
    const { store, board } = context
    const { cursor } = await store.feed(null)
    const { now, columns, runs } = await store.columns(board, { most: limit, recentMs: RECENT_MS })
    const facts = await ReasonFacts.read(context)
    if (!facts.boards.has(board)) throw noBoard(board)
    const waiting = columns.flatMap(({ status, cards }) => (isSatisfied(status) || isRunning(status) ? [] : cards))
    const reasons = await facts.reasonsOf(store, waiting)
    const shown = new Set(columns.flatMap(({ cards }) => cards.map(({ id }) => id)))
    const views = runs.filter(({ taskId }) => shown.has(taskId)).map((run) => viewRun(run, now))
    const runOf = new Map(await Promise.all(views))
    return {
      board,
      now,
      cursor,
      columns: columns.map(({ status, count, cards }) => ({
        status,
        count,
        cards: cards.map((task) => ({
          ...task,
          reason: firstObstacle(reasons.get(task.id)) satisfies Reason | null,
          run: runOf.get(task.id) ?? null,
        })),
      })),
    }
  },
})
