/** The fields that a person can change, with their rules and their values as text. */
import { durationText, parseDuration } from '../../../../src/core/duration.ts'
import { goalOf } from '../../../../src/core/goal.ts'
import { accepts, isRunning } from '../../../../src/core/status.ts'
import { JUDGES, MOST_TURNS } from '../../../../src/core/vocabulary.ts'
import type { Inputs } from '../../../../src/client/index.ts'
import type { CardDetails } from '../card-details.ts'
import type { fieldMessages } from './messages.ts'

/** The fields in the order of the page. Separate commands change `assignee` and `scheduledAt`. */
export const FIELD_LIST = [
  'assignee',
  'reviewer',
  'priority',
  'labels',
  'workspace',
  'branch',
  'base',
  'checks',
  'goal',
  'scheduledAt',
  'tenant',
  'skills',
  'model',
  'provider',
  'effort',
  'maxRuntimeMs',
  'maxRetries',
  'session',
  'workflow',
  'step',
] as const
export type FieldName = (typeof FIELD_LIST)[number]

/** The fields that are shown even if they are empty. */
const ALWAYS: ReadonlySet<FieldName> = new Set(['assignee', 'reviewer', 'priority', 'labels', 'workspace', 'checks'])

export const isEditable = (name: string): name is FieldName => FIELD_LIST.some((field) => field === name)

export type FieldCard = Pick<CardDetails, FieldName | 'status' | 'workspace' | 'branch'>

export const isShown = (name: FieldName, card: FieldCard): boolean =>
  ALWAYS.has(name) ||
  (card[name] !== null && !(Array.isArray(card[name]) && card[name].length === 0)) ||
  isPlaced(name, card)

/** Whether the card has the field: only a worktree card has a branch and a base. */
const isPlaced = (name: FieldName, { workspace }: FieldCard): boolean =>
  (name === 'branch' || name === 'base') && workspace.kind === 'worktree'

type Lock = Extract<keyof (typeof fieldMessages)['en'], `lock${string}`>

/** Why the field cannot be changed now. Null means that it can. Core refuses the same changes. */
export function lockOf(name: FieldName, { status, workspace, goal }: FieldCard): Lock | null {
  switch (name) {
    case 'workspace':
      if (workspace.state !== 'none' && workspace.state !== 'gone') return 'lockFiles'
      return isRunning(status) ? 'lockRunning' : null
    case 'branch':
    case 'base':
      if (workspace.kind !== 'worktree') return 'lockNoWorktree'
      return workspace.base === null ? null : 'lockWorktree'
    case 'goal':
      return isRunning(status) && goal === null ? 'lockRunning' : null
    case 'scheduledAt':
      return !isRunning(status) && !accepts(status, 'schedule') ? 'lockStatus' : null
    default:
      return null
  }
}

/** Returns the value as a person would type it. */
export function typedValue(name: FieldName, card: FieldCard): string {
  switch (name) {
    case 'labels':
    case 'skills':
      return (card[name] ?? []).join(', ')
    case 'checks':
      return card.checks.join('\n')
    case 'maxRuntimeMs':
      return card.maxRuntimeMs === null ? '' : durationText(card.maxRuntimeMs)
    case 'goal':
      return typedGoal(card)
    case 'workspace':
      return typedWorkspace(card.workspace)
    default:
      return card[name] === null ? '' : String(card[name])
  }
}

const typedWorkspace = ({ kind, path, repo }: CardDetails['workspace']): string => {
  const place = kind === 'dir' ? path : repo
  return kind === 'scratch' || place === null ? kind : `${kind}:${place}`
}

/** The value of a card without a goal. */
export const NO_GOAL = 'none'

/** Formats the goal as its judge and its number of turns: `model 20`. */
function typedGoal(card: Pick<FieldCard, 'goal'>): string {
  const goal = goalOf(card)
  return goal === null ? NO_GOAL : `${goal.judge} ${goal.maxTurns}`
}

export type FieldChange = Omit<Inputs['update'], 'task'>
type Fault = Extract<keyof (typeof fieldMessages)['en'], `fault${string}`>
export type ParsedField = { readonly change: FieldChange } | { readonly fault: Fault }

const WHOLE = /^[-+]?\d{1,7}$/
const COUNT = /^[1-9]\d{0,6}$/

/** Parses a typed value. Returns the change, or what is wrong with the value. */
export function parseField(name: FieldName, typed: string): ParsedField {
  const text = typed.trim()
  const value = text === '' ? null : text
  switch (name) {
    case 'labels':
      return { change: { labels: wordsIn(text) } }
    case 'skills':
      return { change: { skills: value === null ? null : wordsIn(text) } }
    case 'checks':
      return { change: { checks: linesIn(text) } }
    case 'priority':
      return WHOLE.test(text) ? { change: { priority: Number(text) } } : { fault: 'faultWhole' }
    case 'maxRetries':
      if (value !== null && !COUNT.test(value)) return { fault: 'faultCount' }
      return { change: { maxRetries: value === null ? null : Number(value) } }
    case 'maxRuntimeMs': {
      const ms = value === null ? null : parseDuration(value)
      return value !== null && ms === null ? { fault: 'faultDuration' } : { change: { maxRuntimeMs: ms } }
    }
    case 'goal':
      return parseGoal(text)
    case 'workspace':
      return parseWorkspace(text)
    case 'scheduledAt':
      return { fault: 'faultTime' }
    default:
      return { change: { [name]: value } }
  }
}

const wordsIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/[,\n]/)
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  ),
]

const linesIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

function parseGoal(text: string): ParsedField {
  if (text === NO_GOAL) return { change: { goal: null } }
  const [named, turns = ''] = text.split(' ')
  const judge = JUDGES.find((one) => one === named)
  if (judge === undefined || !COUNT.test(turns) || Number(turns) > MOST_TURNS) return { fault: 'faultTurns' }
  return { change: { goal: { judge, maxTurns: Number(turns) } } }
}

function parseWorkspace(text: string): ParsedField {
  const [, kind, place = ''] = /^(scratch|dir|worktree)(?::(.*))?$/.exec(text) ?? []
  if (kind === 'scratch' && place === '') return { change: { workspace: { kind, path: null, repo: null } } }
  if (kind !== 'dir' && kind !== 'worktree') return { fault: 'faultWorkspace' }
  if (place !== '' && !place.startsWith('/')) return { fault: 'faultPath' }
  const at = place === '' ? null : place
  return { change: { workspace: kind === 'dir' ? { kind, path: at, repo: null } : { kind, path: null, repo: at } } }
}
