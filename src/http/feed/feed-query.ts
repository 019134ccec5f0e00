/** The query of `GET /api/events`. */
import * as z from 'zod'
import { EVENT_KINDS } from '../../core/event-kinds.ts'
import { line, name, slug } from '../../core/input/fields.ts'
import { inputFault } from '../../core/input/input-fault.ts'
import { requireCursor } from '../../operations/boards/follow.ts'
import type { EventFilter } from '../../operations/boards/event-filter.ts'
import { nearest } from '../../util/nearest.ts'
import { definedOnly } from '../../util/objects.ts'

const kinds = z.string().transform((typed, ctx) => {
  const named = typed.split(',').map((kind) => kind.trim())
  const unknown = named.find((kind) => !EVENT_KINDS.some((known) => known === kind))
  if (unknown === undefined) return named
  const meant = nearest(unknown, EVENT_KINDS)
  ctx.addIssue({
    code: 'custom',
    message: meant === null ? `has the unknown kind ${unknown}` : `has the unknown kind ${unknown}; use ${meant}`,
  })
  return z.NEVER
})

export const FEED_PARAMETERS = {
  board: 'Only events of one board',
  task: 'Only events of one card: its id, or the beginning of its id',
  kinds: 'Only events of these kinds, separated by commas',
  assignee: 'Only events of cards of this agent',
  tenant: 'Only events of cards for this tenant',
  after: 'Start after this cursor instead of now; Last-Event-ID takes precedence',
  output: '1 adds run_output notices with the last output of running cards',
  ticket: 'A one-use ticket, for clients that cannot send headers',
} as const

const feedQuery = z.strictObject({
  board: slug.optional(),
  task: z.string().optional(),
  kinds: kinds.optional(),
  assignee: name.optional(),
  tenant: line.optional(),
  after: z.string().optional(),
  output: z.enum(['0', '1']).default('0'),
  ticket: z.string().optional(),
} satisfies Record<keyof typeof FEED_PARAMETERS, z.ZodType>)

export interface FeedRequest {
  readonly filter: Omit<EventFilter, 'task'>
  /** The id of a card, or the beginning of the id. */
  readonly task: string | null
  readonly after: string | null
  readonly wantsOutput: boolean
}

/**
 * Reads the request. An `EventSource` reconnects with its first address and a new `Last-Event-ID`, so this header takes
 * precedence over `after`.
 */
export function readFeedRequest({ url, headers }: Pick<Request, 'url' | 'headers'>): FeedRequest {
  const parsed = feedQuery.safeParse(Object.fromEntries(new URL(url).searchParams))
  if (!parsed.success) throw inputFault(parsed.error, { verb: 'events' })
  const { after, output, task = null, ticket: _used, ...filter } = parsed.data
  const lastEventId = headers.get('last-event-id') ?? ''
  return {
    filter: definedOnly(filter),
    task,
    after: requireCursor(lastEventId === '' ? after : lastEventId),
    wantsOutput: output === '1',
  }
}
