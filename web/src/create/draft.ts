/** The values in the dialog, before they become the input of `create`. */
import { JUDGES, WORKSPACE_KINDS } from '../../../src/core/vocabulary.ts'
import type { FoundCard } from '../cards/find-card.tsx'
import type { Prefill } from '../routes/create-address.ts'

export type WorkspaceKind = (typeof WORKSPACE_KINDS)[number]

/** When the card starts. */
export const STARTS = ['now', 'held', 'at', 'triage', 'blocked'] as const
export type Start = (typeof STARTS)[number]

/** Whether the agent alone decides that the work is finished, or a judge after each turn of the agent. */
export const GOALS = ['none', ...JUDGES] as const
export type GoalChoice = (typeof GOALS)[number]

export const SKILL_SOURCES = ['agent', 'card'] as const
export type SkillSource = (typeof SKILL_SOURCES)[number]

/** The draft of a card. Numbers and times are stored as the person typed them. */
export interface Draft {
  readonly title: string
  readonly body: string
  /** Empty means no agent. */
  readonly assignee: string
  readonly workspace: WorkspaceKind
  /** The directory or the repository. Empty means the default directory of the board. */
  readonly folder: string
  readonly branch: string
  readonly base: string
  readonly checks: readonly string[]
  readonly parents: readonly FoundCard[]
  readonly reviewer: string
  readonly start: Start
  readonly startAt: string
  readonly priority: string
  readonly labels: readonly string[]
  readonly goal: GoalChoice
  /** Empty: the default number of turns. */
  readonly goalTurns: string
  readonly tenant: string
  readonly session: string
  readonly workflow: string
  readonly step: string
  readonly skillsFrom: SkillSource
  readonly skills: readonly string[]
  readonly model: string
  readonly provider: string
  readonly effort: string
  readonly maxRuntime: string
  readonly maxRetries: string
}
export type FormField = Exclude<keyof Draft, 'skillsFrom'>

export const EMPTY_DRAFT: Draft = {
  title: '',
  body: '',
  assignee: '',
  workspace: 'scratch',
  folder: '',
  branch: '',
  base: '',
  checks: [],
  parents: [],
  reviewer: '',
  start: 'now',
  startAt: '',
  priority: '',
  labels: [],
  goal: 'none',
  goalTurns: '',
  tenant: '',
  session: '',
  workflow: '',
  step: '',
  skillsFrom: 'agent',
  skills: [],
  model: '',
  provider: '',
  effort: '',
  maxRuntime: '',
  maxRetries: '',
}

/** The fields that are hidden until a person opens them. */
export const FOLDED = [
  'start',
  'startAt',
  'priority',
  'labels',
  'goal',
  'goalTurns',
  'maxRuntime',
  'maxRetries',
  'skills',
  'model',
  'provider',
  'effort',
  'tenant',
  'session',
  'workflow',
  'step',
] as const satisfies readonly FormField[]

/** The fields in the order of the form. */
export const FORM_FIELDS = Object.keys(EMPTY_DRAFT).filter((name): name is FormField => name !== 'skillsFrom')

const isChanged = (draft: Draft, name: keyof Draft): boolean =>
  JSON.stringify(draft[name]) !== JSON.stringify(EMPTY_DRAFT[name])

export const isEmptyDraft = (draft: Draft): boolean => !NAMES.some((name) => isChanged(draft, name))

/** Whether a folded field has a value. The fields are then opened, so that no value is hidden. */
export const hasFolded = (draft: Draft): boolean =>
  FOLDED.some((name) => isChanged(draft, name)) || isChanged(draft, 'skillsFrom')

// The cast is safe, because the literal above has exactly the keys of this type.
const NAMES = Object.keys(EMPTY_DRAFT) as readonly (keyof Draft)[]

const START_IN: Readonly<Record<string, Start>> = { triage: 'triage', blocked: 'blocked', scheduled: 'at' }

const listOf = (text: string): readonly string[] => text.split(',').filter((part) => part.trim() !== '')

/** Returns the draft with the values from the URL. */
export function withPrefill(draft: Draft, prefill: Prefill): Draft {
  const { title, body, status, assignee, tenant, workflow, labels, parents } = prefill
  return {
    ...draft,
    ...(title !== undefined && { title }),
    ...(body !== undefined && { body }),
    ...(assignee !== undefined && { assignee }),
    ...(tenant !== undefined && { tenant }),
    ...(workflow !== undefined && { workflow }),
    ...(labels !== undefined && { labels: listOf(labels) }),
    ...(status !== undefined && { start: START_IN[status] ?? 'now' }),
    // The title starts as the id. The field shows the title as soon as it has been read.
    ...(parents !== undefined && {
      parents: listOf(parents).map((id) => ({ id, title: id, status: 'todo' as const })),
    }),
  }
}

/**
 * Returns the draft of the next card when a person creates several cards. Fields about the kind of work keep their
 * values.
 */
export const nextDraft = (draft: Draft): Draft => ({ ...draft, title: '', body: '', branch: '', startAt: '' })

const sameKind = (a: unknown, b: unknown): boolean => typeof a === typeof b && Array.isArray(a) === Array.isArray(b)

const isChoice = <T extends string>(choices: readonly T[], value: unknown): value is T =>
  choices.some((choice) => choice === value)

/**
 * Parses a stored draft. Another version of the page may have stored it, so unknown or unsuitable values are dropped.
 */
export function readDraft(text: string): Draft | null {
  try {
    const stored = JSON.parse(text) as unknown
    if (typeof stored !== 'object' || stored === null) return null
    const known = Object.entries(stored).filter(([name, value]) =>
      NAMES.some((one) => one === name && sameKind(EMPTY_DRAFT[one], value)),
    )
    const draft = { ...EMPTY_DRAFT, ...Object.fromEntries(known) } as Draft
    return {
      ...draft,
      workspace: isChoice(WORKSPACE_KINDS, draft.workspace) ? draft.workspace : 'scratch',
      start: isChoice(STARTS, draft.start) ? draft.start : 'now',
      goal: isChoice(GOALS, draft.goal) ? draft.goal : 'none',
      skillsFrom: isChoice(SKILL_SOURCES, draft.skillsFrom) ? draft.skillsFrom : 'agent',
    }
  } catch {
    return null
  }
}
