/**
 * Every field of a card, declared once. The row in the store, the schemas of `create`, `edit` and `list`, the flags of the
 * command line, the arguments of the tools, the briefing and the facts that `show` prints all come from this table. The
 * table does not load the schema library, because commands that only read run without it.
 */
import type * as z from 'zod'
import type { Values } from './input/card-values.ts'

/** `boolean` is stored as 0 or 1, `json` as text. */
export type Codec = 'plain' | 'boolean' | 'json'

/** How the command line reads the value of a flag. */
export type FlagKind =
  | 'text'
  | 'long_text'
  | 'whole'
  | 'duration'
  | 'agent'
  | 'agent_or_none'
  | 'list'
  | 'labels'
  | 'skills'
  | 'moment'
  | 'toggle'
  | 'workspace'

interface CardField {
  /** The columns of a field with several parts, by part. */
  readonly column: Codec | Readonly<Record<string, Codec>>
  /** The schema of a value, as a caller gives it. */
  readonly of: (schemas: Values) => Values[keyof Values]
  /** The schema of the value in the store, if it differs. */
  readonly stored?: (schemas: Values) => Values[keyof Values]
  /** The value of a new card if the caller gives none. Null: the field may be empty. Absent: it is always given. */
  readonly empty?: unknown
  /** Whether `create` and `edit` take the field. */
  readonly create?: true
  readonly edit?: true
  /** What the field means to a caller of `create` or `edit`. */
  readonly describe?: string
  /** The flag of the command line. `brief` is its line in help; `name` differs from the field if set. */
  readonly flag?: {
    readonly kind: FlagKind
    readonly brief: string
    readonly name?: string
    readonly value?: string
    readonly min?: number
    readonly describe?: string
  }
  /** `list` can select cards by the field. `has`: cards whose list contains the value. */
  readonly filter?: { readonly by: 'equal' | 'has'; readonly describe: string }
  /** The descriptions for agents: of the argument of `kanban_create` and of `kanban_list`. Empty: `describe`. */
  readonly tool?: { readonly create?: string; readonly list?: string }
  /** Where agents see the field: in `kanban_list` and `kanban_show`, or only in `kanban_show`. */
  readonly agents?: 'list' | 'show'
  /** The name of its line in the briefing. */
  readonly briefing?: string
  /** Whether `muster show` prints the field as it is. */
  readonly fact?: true
  /** Left out of lists, because a card may hold a megabyte of it. */
  readonly detail?: true
}

const SCRATCH = { kind: 'scratch', path: null, repo: null } as const

const CARD_FIELDS = {
  board: { column: 'plain', of: (as) => as.slug },
  id: { column: 'plain', of: (as) => as.taskId },
  title: {
    column: 'plain',
    of: (as) => as.title,
    stored: (as) => as.line,
    create: true,
    edit: true,
    describe: 'What to do, in one line',
    tool: { create: '' },
    agents: 'list',
  },
  body: {
    column: 'plain',
    of: (as) => as.body,
    stored: (as) => as.text,
    empty: null,
    create: true,
    edit: true,
    describe: 'Everything else the agent must know',
    flag: {
      kind: 'long_text',
      brief: 'details; - reads stdin, @file a file',
      describe: 'everything else the agent must know; - reads it from standard input, @file from a file',
    },
    tool: { create: 'Everything its worker must know: it sees nothing else' },
    detail: true,
  },
  status: { column: 'plain', of: (as) => as.status, agents: 'list' },
  assignee: {
    column: 'plain',
    of: (as) => as.name,
    empty: null,
    create: true,
    describe: 'The agent that works on it; null: unassigned',
    flag: { kind: 'agent_or_none', brief: 'agent to run it', describe: 'the agent that works on it; none: unassigned' },
    filter: { by: 'equal', describe: 'Only cards of this agent; null: unassigned cards' },
    tool: { create: 'The agent that does it', list: 'Only cards of this agent' },
    agents: 'list',
  },
  priority: {
    column: 'plain',
    of: (as) => as.priority,
    stored: (as) => as.whole,
    empty: 0,
    create: true,
    edit: true,
    describe: 'Higher starts sooner',
    flag: { kind: 'whole', brief: 'higher is sooner' },
    tool: { create: '' },
    agents: 'list',
  },
  labels: {
    column: 'json',
    of: (as) => as.labels,
    stored: (as) => as.lines,
    empty: [],
    create: true,
    edit: true,
    describe: 'Labels, to find the card by',
    flag: {
      kind: 'labels',
      name: 'label',
      value: '<label>',
      brief: 'to find it by',
      describe: 'a label, to find the card by',
    },
    filter: { by: 'has', describe: 'Only cards with all of these labels' },
    tool: { create: '', list: '' },
    agents: 'list',
    briefing: 'Labels',
    fact: true,
  },
  tenant: {
    column: 'plain',
    of: (as) => as.line,
    empty: null,
    create: true,
    edit: true,
    describe: 'The customer or project it is for; null: that of the run, or of the first parent that has one',
    flag: {
      kind: 'text',
      value: '<name>',
      brief: 'customer',
      describe: 'the customer or project it is for',
    },
    filter: { by: 'equal', describe: 'Only cards of this tenant' },
    tool: { list: '' },
    agents: 'show',
    briefing: 'Tenant',
    fact: true,
  },
  session: {
    column: 'plain',
    of: (as) => as.line,
    empty: null,
    create: true,
    edit: true,
    describe: 'The session it belongs to; null: inside a run, that of the run’s card',
    flag: { kind: 'text', value: '<id>', brief: 'its session', describe: 'the session this card belongs to' },
    filter: { by: 'equal', describe: 'Only cards of this session' },
    fact: true,
  },
  workflow: {
    column: 'plain',
    of: (as) => as.line,
    empty: null,
    create: true,
    edit: true,
    describe: 'The workflow it belongs to',
    flag: { kind: 'text', value: '<id>', brief: 'its workflow' },
    filter: { by: 'equal', describe: 'Only cards of this workflow' },
  },
  step: {
    column: 'plain',
    of: (as) => as.line,
    empty: null,
    create: true,
    edit: true,
    describe: 'Its step in the workflow',
    flag: { kind: 'text', value: '<id>', brief: 'workflow step' },
    filter: { by: 'equal', describe: 'Only cards at this step of a workflow' },
  },
  createdBy: { column: 'plain', of: (as) => as.line, agents: 'show' },
  /** The run that created the card: a worker may change the cards that its run created. */
  createdByRun: { column: 'plain', of: (as) => as.runId, empty: null },
  idempotencyKey: {
    column: 'plain',
    of: (as) => as.line,
    empty: null,
    create: true,
    describe: 'A second create with this key makes no second card',
    flag: { kind: 'text', value: '<key>', brief: 'create only one card for this key' },
    tool: { create: '' },
  },
  workspace: {
    column: {
      kind: 'plain',
      path: 'plain',
      repo: 'plain',
      state: 'plain',
      base: 'plain',
      baseBranch: 'plain',
      machine: 'plain',
      host: 'plain',
      owner: 'plain',
      sweeper: 'plain',
    },
    of: (as) => as.askedWorkspace,
    stored: (as) => as.workspace,
    empty: SCRATCH,
    create: true,
    edit: true,
    describe: 'The folder it works in; cannot change once the folder has files',
    flag: {
      kind: 'workspace',
      brief: 'scratch, dir:/path, worktree[:/repo]',
      describe: 'the folder it works in: scratch, dir:/path, worktree or worktree:/repo',
    },
  },
  branch: {
    column: 'plain',
    of: (as) => as.branch,
    stored: (as) => as.line,
    empty: null,
    create: true,
    edit: true,
    describe: 'The branch of its worktree',
    flag: { kind: 'text', value: '<name>', brief: 'of the worktree' },
    agents: 'show',
    briefing: 'Branch',
    fact: true,
  },
  landed: { column: 'json', of: (as) => as.landed, empty: null },
  /** Null: those of the agent. An empty list: no skills at all. */
  skills: {
    column: 'json',
    of: (as) => as.skills,
    stored: (as) => as.lines,
    empty: null,
    create: true,
    edit: true,
    describe: 'Skills for its runs; null: those of its agent',
    flag: {
      kind: 'skills',
      name: 'skill',
      brief: 'for its runs',
      describe: 'a skill for its runs; none: no skills, not even those of its agent',
    },
    tool: { create: 'Skills it needs' },
    agents: 'show',
  },
  model: {
    column: 'plain',
    of: (as) => as.model,
    stored: (as) => as.line,
    empty: null,
    create: true,
    edit: true,
    describe: 'The model, instead of its agent’s',
    flag: { kind: 'text', value: '<name>', brief: 'for its runs' },
  },
  provider: {
    column: 'plain',
    of: (as) => as.model,
    stored: (as) => as.line,
    empty: null,
    create: true,
    edit: true,
    describe: 'The provider of that model',
    flag: { kind: 'text', value: '<name>', brief: 'of that model' },
  },
  effort: {
    column: 'plain',
    of: (as) => as.model,
    stored: (as) => as.line,
    empty: null,
    create: true,
    edit: true,
    describe: 'The reasoning effort of that model',
    flag: { kind: 'text', value: '<word>', brief: 'reasoning effort' },
  },
  reviewer: {
    column: 'plain',
    of: (as) => as.name,
    empty: null,
    create: true,
    edit: true,
    describe: 'The agent that reviews it; null: the board’s reviewer',
    flag: {
      kind: 'agent_or_none',
      brief: 'agent to review',
      describe: 'the agent that reviews it; none: the board’s',
    },
    agents: 'show',
    fact: true,
  },
  createdAt: { column: 'plain', of: (as) => as.time },
  updatedAt: { column: 'plain', of: (as) => as.time },
  startedAt: { column: 'plain', of: (as) => as.time, empty: null },
  completedAt: { column: 'plain', of: (as) => as.time, empty: null },
  /** When the card last went into review. */
  reviewRequestedAt: { column: 'plain', of: (as) => as.time, empty: null },
  scheduledAt: {
    column: 'plain',
    of: (as) => as.time,
    empty: null,
    create: true,
    describe: 'Do not start it before this time',
    flag: {
      kind: 'moment',
      name: 'at',
      brief: 'start at 09:00, tomorrow 9:00, +2h, 2026-11-30',
      describe: 'do not start it before this time: 09:00, tomorrow 9:00, +2h, 2026-11-30, 2026-11-30T09:00',
    },
  },
  currentRunId: { column: 'plain', of: (as) => as.runId, empty: null },

  consecutiveFailures: { column: 'plain', of: (as) => as.count, empty: 0 },
  protocolViolations: { column: 'plain', of: (as) => as.count, empty: 0 },
  reviewFailures: { column: 'plain', of: (as) => as.count, empty: 0 },
  rateLimits: { column: 'plain', of: (as) => as.count, empty: 0 },
  lastError: { column: 'plain', of: (as) => as.text, empty: null },
  breakerOpen: { column: 'boolean', of: (as) => as.flag, empty: false },
  /** Attempts before this time do not count against the limit on attempts. */
  attemptsSince: { column: 'plain', of: (as) => as.time, empty: 0 },

  blockKind: { column: 'plain', of: (as) => as.blockKind, empty: null, agents: 'list' },
  blockReason: { column: 'plain', of: (as) => as.text, empty: null },
  blockedBy: { column: 'plain', of: (as) => as.line, empty: null },
  recentBlocks: { column: 'json', of: (as) => as.recentBlocks, empty: [] },
  /** The status after unblock, if it is not the work lane: a blocked review resumes as a review. */
  resumeStatus: { column: 'plain', of: (as) => as.resumeStatus, empty: null },
  held: {
    column: 'boolean',
    of: (as) => as.flag,
    empty: false,
    create: true,
    describe: 'Do not start it before it is released',
    flag: { kind: 'toggle', name: 'hold', brief: 'until released' },
    agents: 'show',
  },
  /** Parents that gate this card now. Waived links and deleted parents do not count. */
  openParents: { column: 'plain', of: (as) => as.count },
  cooldownUntil: { column: 'plain', of: (as) => as.time, empty: null },
  cooldownReason: { column: 'plain', of: (as) => as.cooldownReason, empty: null },
  guardUntil: { column: 'plain', of: (as) => as.time, empty: null },
  guardReason: { column: 'plain', of: (as) => as.guardReason, empty: null },
  /** When a comment last named a pull request. An automatic retry then waits, so that two workers do not race. */
  pullRequestAt: { column: 'plain', of: (as) => as.time, empty: null },
  /** When the card was last done. A reopen keeps it: an automatic retry soon after waits. */
  succeededAt: { column: 'plain', of: (as) => as.time, empty: null },
  /** False while commands written by an agent wait for approval. */
  commandsApproved: { column: 'boolean', of: (as) => as.flag },

  /** When the card must be looked at again: `nextLook` over every deadline. It may be early, never late. */
  dueAt: { column: 'plain', of: (as) => as.time, empty: null },
  /** The order within an agent's lane: priority, then age, so that no card starves. */
  rank: { column: 'plain', of: (as) => as.whole },

  maxRuntimeMs: {
    column: 'plain',
    of: (as) => as.runtime,
    stored: (as) => as.duration,
    empty: null,
    create: true,
    edit: true,
    describe: 'The time limit of a run',
    flag: {
      kind: 'duration',
      name: 'maxRuntime',
      brief: 'per run: 30m, 2h',
      describe: 'the time limit of a run: 30m, 2h',
    },
  },
  maxRetries: {
    column: 'plain',
    of: (as) => as.positive,
    empty: null,
    create: true,
    edit: true,
    describe: 'Failures in a row before it stops for a person; null: the board’s limit',
    flag: {
      kind: 'whole',
      min: 1,
      brief: 'failures allowed',
      describe: 'failures in a row before it stops for a person',
    },
  },
  goal: { column: 'json', of: (as) => as.goal, empty: null },
  checks: {
    column: 'json',
    of: (as) => as.lines,
    stored: (as) => as.texts,
    empty: [],
    create: true,
    edit: true,
    describe: 'Commands that must pass before it is done',
    flag: {
      kind: 'list',
      name: 'check',
      value: '<cmd>',
      brief: 'must pass',
      describe: 'a command that must pass before it is done',
    },
    tool: { create: '' },
    detail: true,
  },
  result: { column: 'plain', of: (as) => as.text, empty: null, detail: true },
  metadata: { column: 'json', of: (as) => as.json, empty: null },
  archivedFrom: { column: 'plain', of: (as) => as.status, empty: null },
  deletedAt: { column: 'plain', of: (as) => as.time, empty: null },
  deletedBy: { column: 'plain', of: (as) => as.line, empty: null },
} as const satisfies Readonly<Record<string, CardField>>

type Table = typeof CARD_FIELDS
export type CardFieldName = keyof Table

/** The names of the fields that have a property. */
type Having<Property extends string, Value = unknown> = {
  [K in CardFieldName]: Table[K] extends Readonly<Record<Property, Value>> ? K : never
}[CardFieldName]

export type CreateField = Having<'create'>
export type EditField = Having<'edit'>
export type FilterField = Having<'filter'>
type ListField = Having<'filter', { readonly by: 'has' }>

type ResultOf<F> = F extends (schemas: Values) => infer S ? Extract<S, z.ZodType> : never

/** The schema of a value that a caller gives. */
export type GivenSchema<K extends CardFieldName> = ResultOf<Table[K]['of']>

/** The schema of the value in the store. */
export type StoredSchema<K extends CardFieldName> = OrNull<
  K,
  Table[K] extends { readonly stored: infer F } ? ResultOf<F> : GivenSchema<K>
>

/** The schema with null, if the field may be empty. */
export type OrNull<K extends CardFieldName, S extends z.ZodType> =
  K extends Having<'empty', null> ? z.ZodNullable<S> : S

/** What `list` selects by a field: its value, or a list of values that the card's list must contain. */
export type FilterValue<K extends FilterField> = K extends ListField
  ? readonly string[]
  : z.output<GivenSchema<K>> | (K extends 'assignee' ? null : never)

const ALL: readonly [CardFieldName, CardField][] = Object.entries(CARD_FIELDS) as [CardFieldName, CardField][]

export const CARD_FIELD_NAMES: readonly CardFieldName[] = ALL.map(([name]) => name)

/** The declaration of a field, without what is special to it. */
export const cardField = (name: CardFieldName): CardField => CARD_FIELDS[name]

const namesWith = <K extends CardFieldName>(property: keyof CardField): readonly K[] =>
  ALL.filter(([, field]) => field[property] !== undefined).map(([name]) => name as K)

export const CREATE_FIELDS = namesWith<CreateField>('create')
export const EDIT_FIELDS = namesWith<EditField>('edit')
export const FILTER_FIELDS = namesWith<FilterField>('filter')
/** Fields that lists leave out. */
export const DETAIL_FIELDS = namesWith<Having<'detail'>>('detail')
/** Fields with a line in the briefing. */
export const BRIEFING_FIELDS = namesWith<Having<'briefing'>>('briefing')
/** Fields that `muster show` prints as they are. */
export const FACT_FIELDS = namesWith<Having<'fact'>>('fact')

/** Fields that agents see in a list, or on a card. */
export const agentFields = (where: 'list' | 'show'): readonly CardFieldName[] =>
  ALL.filter(([, { agents }]) => agents === where).map(([name]) => name)

/** The fields of a new card that nobody gave. */
export const EMPTY_FIELDS: Readonly<Record<string, unknown>> = Object.fromEntries(
  ALL.flatMap(([name, { empty }]) => (empty === undefined ? [] : [[name, empty]])),
)

/** A simple value as people read it; empty if there is none. */
export const fieldText = (value: string | number | readonly string[] | null): string =>
  value === null ? '' : typeof value === 'object' ? value.join(', ') : String(value)

/** The columns of a card and their codecs: `status`, or `workspace.path` for a part. */
export const CARD_COLUMNS: Readonly<Record<string, Codec>> = Object.fromEntries(
  ALL.flatMap(([name, { column }]) =>
    typeof column === 'string'
      ? [[name, column]]
      : Object.entries(column).map(([part, codec]) => [`${name}.${part}`, codec]),
  ),
)
