/** The options of each filter, and the change that each option makes. */
import { STATUSES } from '../../../../src/core/vocabulary.ts'
import { WAIT_KINDS } from '../../../../src/core/wait-kind.ts'
import type { CardQuery, Since } from '../../../../src/core/card-query.ts'
import { actorLabel } from '../../cards/event-lines.ts'
import { statusMessages } from '../../cards/status-messages.ts'
import { formatSpan } from '../../i18n/format.ts'
import type { Language } from '../../i18n/language.ts'
import { formatNumber } from '../../i18n/messages.ts'
import { translator } from '../../i18n/use-messages.tsx'
import type { FilterField } from './chips.ts'
import { filterMessages, waitMessages } from './messages.ts'
import type { GroupField } from './queries.ts'

export interface FilterOption {
  readonly value: string
  readonly label: string
  readonly note?: string
  readonly isChosen: boolean
  readonly change: Partial<CardQuery>
}

/** The server lists the values of these fields. All other filters have fixed options. */
export const LISTED: Readonly<Partial<Record<FilterField, GroupField>>> = {
  assignee: 'assignee',
  label: 'labels',
  tenant: 'tenant',
  workflow: 'workflow',
  createdBy: 'createdBy',
}

export interface ListedValue {
  readonly value: string | null
  readonly count: number
}

const HOUR = 3_600_000
const PERIODS = [HOUR, 12 * HOUR, 24 * HOUR, 7 * 24 * HOUR, 30 * 24 * HOUR]
const PRIORITIES = [1, 2, 3, 5, 10]

const toggled = <T>(values: readonly T[], value: T): readonly T[] =>
  values.includes(value) ? values.filter((one) => one !== value) : [...values, value]

interface Context {
  readonly language: Language
  readonly query: CardQuery
  readonly listed: readonly ListedValue[]
}

export function optionsOf(field: FilterField, { language, query, listed }: Context): readonly FilterOption[] {
  const t = translator(filterMessages, language)
  const note = (count: number): string => formatNumber(language, count)
  const named = listed.flatMap(({ value, count }) => (value === null ? [] : [{ value, note: note(count) }]))
  switch (field) {
    case 'status':
      return STATUSES.map((status) => ({
        value: status,
        label: translator(statusMessages, language)(status),
        isChosen: query.statuses.includes(status),
        change: { statuses: toggled(query.statuses, status) },
      }))
    case 'waits':
      return WAIT_KINDS.map((kind) => ({
        value: kind,
        label: translator(waitMessages, language)(kind),
        ...single(query.waitsFor, kind, (waitsFor) => ({ waitsFor })),
      }))
    case 'assignee':
      return listed.map(({ value, count }) => ({
        value: value ?? '',
        label: value ?? t('unassigned'),
        note: note(count),
        isChosen: query.assignees.includes(value),
        change: { assignees: toggled(query.assignees, value) },
      }))
    case 'label':
      return named.map((option) => ({
        ...option,
        label: option.value,
        isChosen: query.labels.includes(option.value),
        change: { labels: toggled(query.labels, option.value) },
      }))
    case 'tenant':
      return named.map((option) => ({
        ...option,
        label: option.value,
        ...single(query.tenant, option.value, (tenant) => ({ tenant })),
      }))
    case 'workflow':
      return named.map((option) => ({
        ...option,
        label: option.value,
        ...single(query.workflow, option.value, (workflow) => ({ workflow })),
      }))
    case 'createdBy':
      return named.map((option) => ({
        ...option,
        label: actorLabel(option.value),
        ...single(query.createdBy, option.value, (createdBy) => ({ createdBy })),
      }))
    case 'priority':
      return PRIORITIES.map((priority) => ({
        value: String(priority),
        label: t('atLeast', { priority }),
        ...single(query.minPriority, priority, (minPriority) => ({ minPriority })),
      }))
    case 'changed':
    case 'finished':
      return PERIODS.map((lastMs) => ({
        value: String(lastMs),
        label: t('inLast', { span: formatSpan(language, lastMs) }),
        ...period(query[field], lastMs, (since) => ({ [field]: since })),
      }))
  }
}

/** Returns the options of a filter that allows one value. Choosing the current value again removes the filter. */
const single = <T>(current: T | null, value: T, change: (value: T | null) => Partial<CardQuery>) => ({
  isChosen: current === value,
  change: change(current === value ? null : value),
})

const period = (current: Since | null, lastMs: number, change: (since: Since | null) => Partial<CardQuery>) => {
  const isChosen = current !== null && 'lastMs' in current && current.lastMs === lastMs
  return { isChosen, change: change(isChosen ? null : { lastMs }) }
}
