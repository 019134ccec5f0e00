/**
 * The filters of cards, as they are written in a URL: `status=blocked&label=urgent&since=7d`. The dashboard keeps them
 * in its URL, saved views store them, and `muster list --view` reads them. Filters that are not valid are left out.
 */
import { durationText, parseDuration } from './duration.ts'
import { WAIT_KINDS } from './wait-kind.ts'
import type { WaitKind } from './wait-kind.ts'
import { STATUSES } from './vocabulary.ts'
import type { Status } from './vocabulary.ts'

/** A time in a filter: a fixed time, or a duration before now. */
export type Since = { readonly at: number } | { readonly lastMs: number }

export interface CardQuery {
  readonly statuses: readonly Status[]
  /** The agents. Null in this list stands for unassigned cards. */
  readonly assignees: readonly (string | null)[]
  readonly labels: readonly string[]
  readonly tenant: string | null
  readonly workflow: string | null
  readonly text: string | null
  readonly createdBy: string | null
  readonly minPriority: number | null
  readonly waitsFor: WaitKind | null
  readonly changed: Since | null
  readonly finished: Since | null
}

export const EMPTY_QUERY: CardQuery = {
  statuses: [],
  assignees: [],
  labels: [],
  tenant: null,
  workflow: null,
  text: null,
  createdBy: null,
  minPriority: null,
  waitsFor: null,
  changed: null,
  finished: null,
}

/** The names of the filters in the URL, in the order in which they are written. */
const QUERY_FIELDS = [
  'status',
  'assignee',
  'label',
  'tenant',
  'workflow',
  'priority',
  'waits',
  'by',
  'since',
  'finished',
  'text',
] as const
type QueryField = (typeof QUERY_FIELDS)[number]

/** The value of `assignee` for unassigned cards. */
const UNASSIGNED = 'none'

export function readCardQuery(address: URLSearchParams): CardQuery {
  const many = (field: QueryField): readonly string[] => [
    ...new Set(
      address.getAll(field).flatMap((value) =>
        value
          .split(',')
          .map((one) => one.trim())
          .filter(Boolean),
      ),
    ),
  ]
  const one = (field: QueryField): string | null => address.get(field)?.trim() || null
  const statuses = many('status')
  const priority = Number(one('priority') ?? Number.NaN)
  return {
    statuses: STATUSES.filter((status) => statuses.includes(status)),
    assignees: many('assignee').map((name) => (name === UNASSIGNED ? null : name.toLowerCase())),
    labels: many('label'),
    tenant: one('tenant'),
    workflow: one('workflow'),
    text: one('text'),
    createdBy: one('by'),
    minPriority: Number.isSafeInteger(priority) ? priority : null,
    waitsFor: WAIT_KINDS.find((kind) => kind === one('waits')) ?? null,
    changed: readSince(one('since')),
    finished: readSince(one('finished')),
  }
}

/** Writes the filters into the URL. Other fields of the URL stay. */
export function writeCardQuery(address: URLSearchParams, query: CardQuery): URLSearchParams {
  const next = new URLSearchParams(address)
  for (const field of QUERY_FIELDS) {
    const value = valueOf(field, query)
    if (value === '') next.delete(field)
    else next.set(field, value)
  }
  return next
}

function valueOf(field: QueryField, query: CardQuery): string {
  switch (field) {
    case 'status':
      return query.statuses.join(',')
    case 'assignee':
      return query.assignees.map((name) => name ?? UNASSIGNED).join(',')
    case 'label':
      return query.labels.join(',')
    case 'tenant':
      return query.tenant ?? ''
    case 'workflow':
      return query.workflow ?? ''
    case 'priority':
      return query.minPriority === null ? '' : String(query.minPriority)
    case 'waits':
      return query.waitsFor ?? ''
    case 'by':
      return query.createdBy ?? ''
    case 'since':
      return writeSince(query.changed)
    case 'finished':
      return writeSince(query.finished)
    case 'text':
      return query.text ?? ''
  }
}

/** Parses the filter `since`: milliseconds since 1970, or a duration before now such as `7d`. */
function readSince(value: string | null): Since | null {
  if (value === null) return null
  if (/^\d{12,15}$/.test(value)) return { at: Number(value) }
  const lastMs = /[a-z]$/.test(value) ? parseDuration(value) : null
  return lastMs === null || lastMs <= 0 ? null : { lastMs }
}

const writeSince = (since: Since | null): string =>
  since === null ? '' : 'at' in since ? String(since.at) : durationText(since.lastMs).replaceAll(' ', '')

/** How many filters are set. */
export const countFilters = (query: CardQuery): number =>
  QUERY_FIELDS.filter((field) => valueOf(field, query) !== '').length

/** The filters as input of the operations `board`, `column` and `list`. */
export interface CardFilter {
  readonly statuses?: readonly Status[]
  readonly assignees?: readonly (string | null)[]
  readonly labels?: readonly string[]
  readonly tenant?: string
  readonly workflow?: string
  readonly text?: string
  readonly createdBy?: string
  readonly minPriority?: number
  readonly waitsFor?: WaitKind
  readonly changedSince?: number
  readonly finishedSince?: number
}

/**
 * A filter such as `7d` is rounded down to the minute, so that a page sends the same request again for up to a minute.
 */
const MINUTE = 60_000

export function filterOf(query: CardQuery, now: number): CardFilter {
  const { statuses, assignees, labels, tenant, workflow, text, createdBy, minPriority, waitsFor } = query
  const timeOf = (since: Since): number =>
    'at' in since ? since.at : Math.max(0, Math.floor((now - since.lastMs) / MINUTE) * MINUTE)
  return {
    ...(statuses.length > 0 && { statuses }),
    ...(assignees.length > 0 && { assignees }),
    ...(labels.length > 0 && { labels }),
    ...(tenant !== null && { tenant }),
    ...(workflow !== null && { workflow }),
    ...(text !== null && { text }),
    ...(createdBy !== null && { createdBy }),
    ...(minPriority !== null && { minPriority }),
    ...(waitsFor !== null && { waitsFor }),
    ...(query.changed !== null && { changedSince: timeOf(query.changed) }),
    ...(query.finished !== null && { finishedSince: timeOf(query.finished) }),
  }
}
