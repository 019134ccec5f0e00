import type { Reason } from '../../core/reasons/reason.ts'
import { RECENT_MS } from '../cards/recent.ts'
import { isRunning, isSatisfied } from '../../core/status.ts'
import { STATUSES } from '../../core/vocabulary.ts'
import { ReasonFacts, firstObstacle } from '../cards/reasons-of-cards.ts'
import { defineOperation } from '../shared/operation.ts'
import type { OutputOf, SchemaKit } from '../shared/operation.ts'
import { noBoard } from '../../core/errors.ts'

const schemas = ({ z, count, listedTask, reasonView, runId, slug, text, time }: SchemaKit) => ({
  input: z.object({
    limit: z.int().min(1).max(500).default(50).describe('At most this many cards in each column'),
  }),
  output: z.object({
    board: slug,
    now: time,
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
                run: z.object({ id: runId, attempt: count, by: text, startedAt: time }).nullable(),
              }),
            )
            .readonly(),
        }),
      )
      .readonly(),
  }),
})

export type ColumnsView = OutputOf<typeof schemas>

export const showColumns = defineOperation({
  name: 'board',
  kind: 'query',
  actor: 'person',
  scope: 'board',
  summary: 'Show the board as columns, with the first cards of each.',
  schemas,
  run: async (context, { limit }) => {
    const { store, board } = context
    const { now, columns, runs } = await store.columns(board, { most: limit, recentMs: RECENT_MS })
    const facts = await ReasonFacts.read(context)
    if (!facts.boards.has(board)) throw noBoard(board)
    const waiting = columns.flatMap(({ status, cards }) => (isSatisfied(status) || isRunning(status) ? [] : cards))
    const reasons = await facts.reasonsOf(store, waiting)
    const runOf = new Map(
      runs.map(({ id, taskId, attempt, agent, claimedBy, startedAt }) => [
        taskId,
        { id, attempt, by: agent ?? claimedBy, startedAt },
      ]),
    )
    return {
      board,
      now,
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
