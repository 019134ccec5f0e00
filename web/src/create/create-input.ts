/** Converts a draft into the input of `create`, or finds the fields with errors. */
import type { ClientError, Inputs } from '../../../src/client/index.ts'
import { parseDuration } from '../../../src/core/duration.ts'
import { DEFAULT_TURNS, MOST_TURNS } from '../../../src/core/vocabulary.ts'
import type { Draft, FormField } from './draft.ts'
import type { createMessages } from './messages.ts'

type CreateInput = Inputs['create']
export type FaultKey = Extract<keyof (typeof createMessages)['en'], `fault${string}`>
export type Faults = Readonly<Partial<Record<FormField, FaultKey>>>

const TITLE_MAX = 500
const BODY_MAX = 1_000_000
const ONLY_DIGITS = /^\d+$/
const WHOLE = /^[-+]?\d{1,7}$/

const rules: { readonly [Name in FormField]?: (draft: Draft, context: Context) => FaultKey | null } = {
  title: ({ title }) =>
    title.trim() === '' ? 'faultNoTitle' : title.trim().length > TITLE_MAX ? 'faultLongTitle' : null,
  body: ({ body }) => (body.length > BODY_MAX ? 'faultLongBody' : null),
  folder({ workspace, folder }, { defaultDirectory }) {
    if (workspace === 'scratch') return null
    if (folder.trim() === '') return defaultDirectory === null ? 'faultNoFolder' : null
    return folder.trim().startsWith('/') ? null : 'faultRelativeFolder'
  },
  startAt: ({ start, startAt }) => (start === 'at' && Number.isNaN(Date.parse(startAt)) ? 'faultNoTime' : null),
  priority: ({ priority }) => (priority.trim() === '' || WHOLE.test(priority.trim()) ? null : 'faultPriority'),
  goal: (draft) => (draft.goal === 'checks' && checksOf(draft).length === 0 ? 'faultGoalChecks' : null),
  goalTurns: ({ goal, goalTurns }) =>
    goal === 'none' || goalTurns.trim() === '' || isTurns(goalTurns.trim()) ? null : 'faultTurns',
  maxRuntime: ({ maxRuntime }) =>
    maxRuntime.trim() === '' || parseDuration(maxRuntime) !== null ? null : 'faultDuration',
  maxRetries: ({ maxRetries }) =>
    maxRetries.trim() === '' || (ONLY_DIGITS.test(maxRetries.trim()) && Number(maxRetries) > 0) ? null : 'faultRetries',
}

const isTurns = (text: string): boolean => ONLY_DIGITS.test(text) && Number(text) >= 1 && Number(text) <= MOST_TURNS

const checksOf = ({ checks }: Draft): readonly string[] =>
  checks.map((check) => check.trim()).filter((check) => check !== '')

interface Context {
  readonly defaultDirectory: string | null
}

export const faultsOf = (draft: Draft, context: Context): Faults =>
  Object.fromEntries(
    Object.entries(rules)
      .map(([name, rule]) => [name, rule(draft, context)] as const)
      .filter(([, fault]) => fault !== null),
  )

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** Builds the input. Empty fields are left out, so that the server applies the defaults. */
export function inputOf(draft: Draft): CreateInput {
  const { workspace, start, skillsFrom, skills } = draft
  const isWorktree = workspace === 'worktree'
  return {
    title: draft.title.trim(),
    body: draft.body.trim() === '' ? null : draft.body,
    assignee: orNull(draft.assignee),
    workspace: workspaceOf(draft),
    branch: isWorktree ? orNull(draft.branch) : null,
    base: isWorktree ? orNull(draft.base) : null,
    checks: checksOf(draft),
    parents: draft.parents.map(({ id }) => id),
    reviewer: orNull(draft.reviewer),
    held: start === 'held',
    triage: start === 'triage',
    blocked: start === 'blocked',
    scheduledAt: start === 'at' ? Date.parse(draft.startAt) : null,
    priority: Number(draft.priority.trim()),
    labels: draft.labels,
    goal: goalOf(draft),
    tenant: orNull(draft.tenant),
    session: orNull(draft.session),
    workflow: orNull(draft.workflow),
    step: orNull(draft.step),
    skills: skillsFrom === 'agent' ? null : skills,
    model: orNull(draft.model),
    provider: orNull(draft.provider),
    effort: orNull(draft.effort),
    maxRuntimeMs: parseDuration(draft.maxRuntime),
    maxRetries: draft.maxRetries.trim() === '' ? null : Number(draft.maxRetries.trim()),
  }
}

const goalOf = ({ goal, goalTurns }: Draft): CreateInput['goal'] =>
  goal === 'none' ? null : { judge: goal, maxTurns: goalTurns.trim() === '' ? DEFAULT_TURNS : Number(goalTurns.trim()) }

function workspaceOf({ workspace: kind, folder }: Draft): CreateInput['workspace'] {
  if (kind === 'scratch') return null
  const place = orNull(folder)
  return kind === 'dir' ? { kind, path: place, repo: null } : { kind, path: null, repo: place }
}

/** Fields that have another name in the form than in the input. */
const FIELD_OF: Readonly<Record<string, FormField>> = {
  workspace: 'folder',
  scheduledAt: 'startAt',
  held: 'start',
  triage: 'start',
  blocked: 'start',
  maxRuntimeMs: 'maxRuntime',
}

const CODES: Readonly<Record<string, FormField>> = {
  task_not_found: 'parents',
  ambiguous_id: 'parents',
  cycle: 'parents',
  skill_not_found: 'skills',
}

/**
 * Returns the field whose value the server refused, so that its error can be shown there. Null means that the refusal
 * is not about one field.
 */
export function refusedField({ code, details }: Pick<ClientError, 'code' | 'details'>, draft: Draft): FormField | null {
  const { field } = details
  const [name = ''] = typeof field === 'string' ? field.split('.') : []
  const found = FIELD_OF[name] ?? (Object.hasOwn(draft, name) ? (name as FormField) : CODES[code])
  return found ?? null
}
