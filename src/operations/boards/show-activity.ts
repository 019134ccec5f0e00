import { EVENT_GROUPS, groupOf, kindsIn } from '../../core/event-groups.ts'
import { EVENT_KINDS } from '../../core/event-kinds.ts'
import type { BoardEvent } from '../../core/event.ts'
import type { TaskId } from '../../core/ids.ts'
import { cut } from '../../core/text.ts'
import type { CardSpent, Store } from '../../storage/store.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'
import { requireBoard } from './require-board.ts'
import { viewWork } from './view-cards.ts'
import type { CardWorkView } from './views.ts'

/** Longer texts in the data of an event are cut to this length. */
const TEXT_LENGTH = 300

export const showActivity = defineOperation({
  name: 'activity',
  kind: 'query',
  actor: 'person',
  scope: 'store',
  summary: 'List what happened on all boards, newest first.',
  schemas: ({ z, cardRef, cardWork, count, duration, eventView, line, slug, text, time }) => ({
    input: z.object({
      board: slug.nullable().default(null).describe('Only events of this board; null: all boards'),
      task: cardRef.exactOptional().describe('Only events of this card'),
      groups: z.array(z.enum(EVENT_GROUPS)).min(1).readonly().exactOptional().describe('Only events of these groups'),
      kinds: z.array(z.enum(EVENT_KINDS)).min(1).readonly().exactOptional().describe('Only events of these kinds'),
      by: line.exactOptional().describe('Only events caused by this person or agent, written as in the field `actor`'),
      before: z.int().min(1).nullable().default(null).describe('Only events before this one'),
      from: time.nullable().default(null).describe('Only events at or after this time'),
      until: time.nullable().default(null).describe('Only events before this time'),
      limit: z.int().min(1).max(500).default(50).describe('At most this many events'),
    }),
    output: z.object({
      events: z
        .array(
          eventView.extend({
            group: z.enum(EVENT_GROUPS),
            /** The title of the card. Null means that the event has no card, or that the card was purged. */
            title: text.nullable(),
            /** The attempts, time, cost, checks and changes of a finished card. Null for other events. */
            result: z
              .object({
                attempts: count,
                durationMs: duration,
                costUsd: z.number().nullable(),
                /** The last attempt. */
                work: cardWork,
              })
              .nullable(),
          }),
        )
        .readonly(),
      /**
       * The value of `before` for the next page. Null at the end. If the filter matches few events, a page may have no
       * events.
       */
      next: z.int().nullable(),
    }),
  }),
  run: async ({ store }, { board, task, groups, kinds, by, before, from, until, limit }) => {
    if (board !== null) await requireBoard(store, board)
    const page = await store.activity({
      board,
      task: task === undefined ? null : await resolveTask(store, task, { deleted: true }),
      kinds: groups === undefined ? (kinds ?? null) : [...kindsIn(groups), ...(kinds ?? [])],
      actor: by ?? null,
      before,
      from,
      until,
      most: limit,
    })
    const results = await resultsOf(store, page.events)
    return {
      events: page.events.map((event) => ({
        ...event,
        group: groupOf(event.kind),
        data: shortened(event.data),
        result: event.kind === 'completed' && event.taskId !== null ? (results.get(event.taskId) ?? null) : null,
      })),
      next: page.next,
    }
  },
})

type Result = Pick<CardSpent, 'attempts' | 'durationMs' | 'costUsd'> & { readonly work: CardWorkView }

async function resultsOf(
  store: Pick<Store, 'cardHistories'>,
  events: readonly BoardEvent[],
): Promise<ReadonlyMap<TaskId, Result>> {
  const ids = new Set(events.flatMap(({ kind, taskId }) => (kind === 'completed' && taskId !== null ? [taskId] : [])))
  if (ids.size === 0) return new Map()
  const { work, spent } = await store.cardHistories([...ids])
  return new Map(
    spent.flatMap(({ id, attempts, durationMs, costUsd }) => {
      const last = work.find(({ taskId }) => taskId === id)
      return last === undefined ? [] : [[id, { attempts, durationMs, costUsd, work: viewWork(last) }] as const]
    }),
  )
}

function shortened(data: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, shortValue(value)]))
}

/** Shortens lists and texts in the data of an event. The content of a late result is left out. */
function shortValue(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, TEXT_LENGTH)
  if (Array.isArray(value)) return value.slice(0, 20).map(shortValue)
  return typeof value === 'object' && value !== null ? null : value
}
