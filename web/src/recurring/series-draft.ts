/** The values that a person has put into the form of a series, and the input that they become. */
import type { Inputs } from '../../../src/client/index.ts'
import { parseSchedule } from '../../../src/core/recurrence/schedule.ts'
import { isTimeZone } from '../../../src/core/recurrence/zone.ts'
import { MOST_TURNS, WORKSPACE_KINDS } from '../../../src/core/vocabulary.ts'
import type { JudgeKind } from '../../../src/core/vocabulary.ts'
import type { seriesMessages } from './messages.ts'
import type { SeriesView } from './queries.ts'

type AddInput = Inputs['recurAdd']
type EditInput = Omit<Inputs['recurEdit'], 'series'>

/** Numbers are texts, in the form in which they were typed. Empty text: no value. */
export interface SeriesDraft {
  readonly schedule: string
  readonly timeZone: string
  readonly skipIfRunning: boolean
  readonly title: string
  readonly body: string
  readonly assignee: string
  /** One command on each line. */
  readonly checks: string
  readonly labels: readonly string[]
  readonly priority: string
  readonly workspace: (typeof WORKSPACE_KINDS)[number]
  readonly folder: string
  readonly goal: 'none' | JudgeKind
  readonly goalTurns: string
}

export const emptyDraft = (timeZone: string): SeriesDraft => ({
  schedule: '',
  timeZone,
  skipIfRunning: false,
  title: '',
  body: '',
  assignee: '',
  checks: '',
  labels: [],
  priority: '',
  workspace: 'scratch',
  folder: '',
  goal: 'none',
  goalTurns: '',
})

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []

/** The fields of the goal of a series. Null: it has no goal. */
export function goalIn(
  card: SeriesView['card'],
): { readonly judge: 'model' | 'checks'; readonly maxTurns: number } | null {
  const goal = card['goal'] as { readonly judge?: unknown; readonly maxTurns?: unknown } | null | undefined
  if (goal == null) return null
  return { judge: goal.judge === 'checks' ? 'checks' : 'model', maxTurns: Number(goal.maxTurns ?? 0) }
}

export function draftOfSeries({ schedule, timeZone, skipIfRunning, title, assignee, card }: SeriesView): SeriesDraft {
  const place = card['workspace'] as { kind?: unknown; path?: unknown; repo?: unknown } | undefined
  const kind = WORKSPACE_KINDS.find((one) => one === place?.kind) ?? 'scratch'
  const goal = goalIn(card)
  return {
    schedule,
    timeZone,
    skipIfRunning,
    title,
    body: text(card['body']),
    assignee: assignee ?? '',
    checks: texts(card['checks']).join('\n'),
    labels: texts(card['labels']),
    priority: typeof card['priority'] === 'number' && card['priority'] !== 0 ? String(card['priority']) : '',
    workspace: kind,
    folder: text(kind === 'dir' ? place?.path : place?.repo),
    goal: goal?.judge ?? 'none',
    goalTurns: goal === null ? '' : String(goal.maxTurns),
  }
}

export type SeriesFault = Extract<keyof (typeof seriesMessages)['en'], `fault${string}`>
export type SeriesFaults = Readonly<Partial<Record<keyof SeriesDraft, SeriesFault>>>

const WHOLE = /^[-+]?\d{1,7}$/
const lines = (given: string): readonly string[] =>
  given
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export function faultsOf(draft: SeriesDraft): SeriesFaults {
  const { schedule, timeZone, title, priority, workspace, folder, goal, goalTurns, checks } = draft
  const turns = goalTurns.trim()
  const found: readonly (readonly [keyof SeriesDraft, SeriesFault | false])[] = [
    ['title', title.trim() === '' && 'faultTitle'],
    ['schedule', 'fault' in parseSchedule(schedule) && 'faultSchedule'],
    ['timeZone', !isTimeZone(timeZone) && 'faultZone'],
    ['priority', priority.trim() !== '' && !WHOLE.test(priority.trim()) && 'faultPriority'],
    ['folder', workspace !== 'scratch' && folder.trim() !== '' && !folder.trim().startsWith('/') && 'faultFolder'],
    ['goal', goal === 'checks' && lines(checks).length === 0 && 'faultGoalChecks'],
    [
      'goalTurns',
      goal !== 'none' &&
        turns !== '' &&
        !(/^\d{1,3}$/.test(turns) && Number(turns) >= 1 && Number(turns) <= MOST_TURNS) &&
        'faultTurns',
    ],
  ]
  return Object.fromEntries(found.filter(([, fault]) => fault !== false))
}

const orNull = (given: string): string | null => (given.trim() === '' ? null : given.trim())

export function addInput(draft: SeriesDraft): AddInput {
  const { schedule, timeZone, skipIfRunning, title, body, labels } = draft
  return {
    schedule: schedule.trim(),
    timeZone,
    skipIfRunning,
    title: title.trim(),
    body: body.trim() === '' ? null : body,
    assignee: orNull(draft.assignee),
    checks: lines(draft.checks),
    labels,
    priority: Number(draft.priority.trim()),
    workspace: workspaceOf(draft),
    goal: goalOf(draft),
  }
}

function workspaceOf({ workspace: kind, folder }: SeriesDraft): AddInput['workspace'] {
  if (kind === 'scratch') return { kind, path: null, repo: null }
  const place = orNull(folder)
  return kind === 'dir' ? { kind, path: place, repo: null } : { kind, path: null, repo: place }
}

function goalOf({ goal, goalTurns }: SeriesDraft): AddInput['goal'] {
  if (goal === 'none') return null
  return { judge: goal, ...(goalTurns.trim() !== '' && { maxTurns: Number(goalTurns.trim()) }) }
}

/** The fields that the person changed. Fields that the form does not have keep their values. */
export function editInput(draft: SeriesDraft, before: SeriesDraft): EditInput {
  const [now, then] = [addInput(draft), addInput(before)]
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(then[name as keyof AddInput]),
  )
  return Object.fromEntries(changed)
}

export const isSame = (one: SeriesDraft, other: SeriesDraft): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Parses a stored draft. Another version may have stored it, so only suitable values are taken. */
export function readSeriesDraft(stored: string | null, first: SeriesDraft): SeriesDraft {
  try {
    const found = JSON.parse(stored ?? 'null') as Readonly<Record<string, unknown>> | null
    const known = Object.entries(first).map(([name, value]: readonly [string, unknown]): readonly [string, unknown] => {
      const given = found?.[name]
      const isSuitable = typeof given === typeof value && Array.isArray(given) === Array.isArray(value)
      return [name, isSuitable ? given : value]
    })
    return { ...first, ...Object.fromEntries(known) }
  } catch {
    return first
  }
}
