/** Describes each active filter: a name, a value, and the change that removes the filter. */
import type { CardQuery, Since } from '../../../../src/core/card-query.ts'
import { actorLabel } from '../../cards/event-lines.ts'
import { statusMessages } from '../../cards/status-messages.ts'
import { formatList, formatMoment, formatSpan } from '../../i18n/format.ts'
import type { Language } from '../../i18n/language.ts'
import { translator } from '../../i18n/use-messages.tsx'
import { filterMessages, waitMessages } from './messages.ts'

/**
 * The fields of the filter menu, in its order. The search is not in the menu, because the header has a search field.
 */
export const FILTER_FIELDS = [
  'status',
  'waits',
  'assignee',
  'label',
  'tenant',
  'workflow',
  'priority',
  'createdBy',
  'changed',
  'finished',
] as const
export type FilterField = (typeof FILTER_FIELDS)[number]

export interface Chip {
  readonly field: FilterField | 'text'
  readonly name: string
  readonly value: string
  readonly remove: Partial<CardQuery>
}

const REMOVED: Readonly<Record<FilterField | 'text', Partial<CardQuery>>> = {
  status: { statuses: [] },
  waits: { waitsFor: null },
  assignee: { assignees: [] },
  label: { labels: [] },
  tenant: { tenant: null },
  workflow: { workflow: null },
  priority: { minPriority: null },
  createdBy: { createdBy: null },
  changed: { changed: null },
  finished: { finished: null },
  text: { text: null },
}

interface Context {
  readonly language: Language
  readonly now: number
}

export function chipsOf(query: CardQuery, context: Context): readonly Chip[] {
  const t = translator(filterMessages, context.language)
  return ([...FILTER_FIELDS, 'text'] as const).flatMap((field): readonly Chip[] => {
    const value = valueOf(field, query, context)
    return value === null ? [] : [{ field, name: t(field), value, remove: REMOVED[field] }]
  })
}

function valueOf(field: FilterField | 'text', query: CardQuery, { language, now }: Context): string | null {
  const t = translator(filterMessages, language)
  const list = (values: readonly string[]): string | null => (values.length === 0 ? null : formatList(language, values))
  switch (field) {
    case 'status':
      return list(query.statuses.map((status) => translator(statusMessages, language)(status)))
    case 'waits':
      return query.waitsFor === null ? null : translator(waitMessages, language)(query.waitsFor)
    case 'assignee':
      return list(query.assignees.map((name) => name ?? t('unassigned')))
    case 'label':
      return list(query.labels)
    case 'priority':
      return query.minPriority === null ? null : t('atLeast', { priority: query.minPriority })
    case 'createdBy':
      return query.createdBy === null ? null : actorLabel(query.createdBy)
    case 'changed':
    case 'finished':
      return sinceText(query[field], { language, now })
    case 'tenant':
    case 'workflow':
    case 'text':
      return query[field]
  }
}

function sinceText(since: Since | null, { language, now }: Context): string | null {
  if (since === null) return null
  const t = translator(filterMessages, language)
  return 'at' in since
    ? t('sinceTime', { time: formatMoment(language, since.at, now) })
    : t('inLast', { span: formatSpan(language, since.lastMs) })
}
