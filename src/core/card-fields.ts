/**
 * Every field of a card, declared once. The store, the schemas, the flags of the command line, the arguments of the
 * tools, the briefing and `muster show` all read this table. The table does not load the schema library, because
 * commands that only read run without it.
 */
import type * as z from 'zod'
import type { CardField, Codec } from './card-field.ts'
import type { Values } from './input/card-values.ts'
import { shortWords } from './short-words.ts'

const LABELS = shortWords('a label', 'labels')
const SCRATCH = { kind: 'scratch', path: null, repo: null } as const

const CARD_FIELDS = {
  board: { column: 'plain', given: (as) => as.slug },
  id: { column: 'plain', given: (as) => as.taskId },
  title: {
    column: 'plain',
    given: (as) => as.title,
    stored: (as) => as.line,
    create: true,
    edit: true,
    describe: 'What to do, in one line',
    tool: { create: '' },
    agents: 'list',
  },
  body: {
    column: 'plain',
    given: (as) => as.body,
    stored: (as) => as.text,
    empty: null,
    create: true,
    edit: true,
    describe: 'Everything else the agent must know',
    flag: {
      kind: 'long_text',
      brief: 'text, -, @file',
      describe: 'everything else the agent must know; - reads it from standard input, @file from a file',
    },
    tool: { create: 'Everything its worker must know: it sees nothing else' },
    detail: true,
  },
  status: { column: 'plain', given: (as) => as.status, agents: 'list' },
  assignee: {
    column: 'plain',
    given: (as) => as.name,
    empty: null,
    create: true,
    describe: 'The agent that works on the card; null: unassigned',
    flag: { kind: 'agent_or_none', brief: 'its agent', describe: 'the agent that works on the card; none: unassigned' },
    filter: {
      by: 'equal',
      describe: 'Only cards of this agent; null: unassigned cards',
      brief: 'of this agent, or none',
    },
    tool: { create: 'The agent that does it', list: 'Of this agent' },
    agents: 'list',
  },
  priority: {
    column: 'plain',
    given: (as) => as.priority,
    stored: (as) => as.whole,
    empty: 0,
    create: true,
    edit: true,
    describe: 'Higher starts sooner',
    flag: { kind: 'whole', brief: 'higher first' },
    tool: { create: '' },
    agents: 'list',
  },
  labels: {
    column: 'json',
    given: (as) => as.wordList(LABELS),
    stored: (as) => as.lines,
    empty: [],
    create: true,
    edit: true,
    describe: 'Labels for finding the card',
    words: LABELS,
    flag: {
      kind: 'list',
      name: 'label',
      value: '<label>',
      brief: 'to find it',
      describe: 'a label for finding the card',
    },
    filter: { by: 'has', describe: 'Only cards with all of these labels', brief: 'with these labels' },
    tool: { create: '', list: '' },
    agents: 'list',
    afterTitle: '#',
    briefing: 'Labels',
    fact: true,
  },
  tenant: {
    column: 'plain',
    given: (as) => as.line,
    empty: null,
    create: true,
    edit: true,
    describe: 'The customer or project of the card; null: the tenant of the run, or of the first parent that has one',
    flag: {
      kind: 'text',
      value: '<name>',
      brief: 'customer',
      describe: 'the customer or project of the card',
    },
    filter: { by: 'equal', describe: 'Only cards of this tenant', brief: 'of this tenant' },
    tool: { list: '' },
    agents: 'show',
    briefing: 'Tenant',
    fact: true,
  },
  session: {
    column: 'plain',
    given: (as) => as.line,
    empty: null,
    create: true,
    edit: true,
    describe: 'The session of the card; null: inside a run, the session of the run’s card',
    flag: { kind: 'text', value: '<id>', brief: 'its session', describe: 'the session of the card' },
    filter: { by: 'equal', describe: 'Only cards of this session', brief: 'of this session' },
    fact: true,
  },
  workflow: {
    column: 'plain',
    given: (as) => as.line,
    empty: null,
    create: true,
    edit: true,
    describe: 'The workflow of the card',
    flag: { kind: 'text', value: '<id>', brief: 'its workflow' },
    filter: { by: 'equal', describe: 'Only cards of this workflow', brief: 'of this workflow' },
  },
  step: {
    column: 'plain',
    given: (as) => as.line,
    empty: null,
    create: true,
    edit: true,
    describe: 'The step of the card in its workflow',
    flag: { kind: 'text', value: '<id>', brief: 'workflow step' },
    filter: { by: 'equal', describe: 'Only cards at this step of a workflow', brief: 'at this step' },
  },
  /** The series that created the card, and the scheduled time for which it did so. */
  series: {
    column: 'plain',
    given: (as) => as.seriesId,
    empty: null,
    filter: { by: 'equal', describe: 'Only cards of this series', brief: 'of this series' },
    agents: 'show',
    fact: true,
  },
  seriesSlot: { column: 'plain', given: (as) => as.time, empty: null },
  /** The root of the card's swarm, and the role of the card in this swarm. Both never change. */
  swarm: { column: 'plain', given: (as) => as.taskId, empty: null, agents: 'show', fact: true },
  swarmRole: { column: 'plain', given: (as) => as.swarmRole, empty: null, agents: 'show' },
  /** How often in a row the verifier of a swarm has requested changes. */
  rejections: { column: 'plain', given: (as) => as.count, empty: 0 },
  createdBy: {
    column: 'plain',
    given: (as) => as.line,
    filter: {
      by: 'equal',
      describe: 'Only cards that this person or program created, e.g. ada or agent:planner',
      brief: 'only cards of this creator, e.g. ada or agent:planner',
    },
    agents: 'show',
  },
  /** The run that created the card. The worker of this run may change the card. */
  createdByRun: { column: 'plain', given: (as) => as.runId, empty: null },
  idempotencyKey: {
    column: 'plain',
    given: (as) => as.line,
    empty: null,
    create: true,
    describe: 'Return the existing card with this key instead of creating another',
    flag: { kind: 'text', value: '<key>', brief: 'once per key' },
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
    given: (as) => as.askedWorkspace,
    stored: (as) => as.workspace,
    empty: SCRATCH,
    create: true,
    edit: true,
    describe: 'The workspace of the card; cannot change once the folder has files',
    flag: {
      kind: 'workspace',
      brief: 'scratch, dir:/path, worktree[:/repo]',
      describe: 'the workspace of the card: scratch, dir:/path, worktree or worktree:/repo',
    },
  },
  branch: {
    column: 'plain',
    given: (as) => as.branch,
    stored: (as) => as.line,
    empty: null,
    create: true,
    edit: true,
    describe: 'The branch of the worktree',
    flag: { kind: 'text', value: '<name>', brief: 'of the worktree' },
    agents: 'show',
    briefing: 'Branch',
    fact: true,
  },
  base: {
    column: 'plain',
    given: (as) => as.baseRef,
    stored: (as) => as.line,
    empty: null,
    create: true,
    edit: true,
    describe: 'The branch, tag or commit that the worktree starts from; null: the current commit of its repository',
    flag: {
      kind: 'text',
      value: '<ref>',
      brief: 'its start',
      describe: 'the branch, tag or commit that the worktree starts from; a remote branch is fetched first',
    },
    fact: true,
  },
  landed: { column: 'json', given: (as) => as.landed, empty: null },
  /** Null means that runs use the skills of the agent. An empty list means that runs use no skills. */
  skills: {
    column: 'json',
    given: (as) => as.skills,
    stored: (as) => as.lines,
    empty: null,
    create: true,
    edit: true,
    describe: 'Skills for the runs of the card; null: the skills of the agent',
    flag: {
      kind: 'skills',
      name: 'skill',
      brief: 'for the runs',
      describe: 'a skill for the runs of the card; none: no skills, not even those of the agent',
    },
    tool: { create: 'Skills it needs' },
    agents: 'show',
  },
  model: {
    column: 'plain',
    given: (as) => as.model,
    stored: (as) => as.line,
    empty: null,
    create: true,
    edit: true,
    describe: 'The model, instead of the agent’s model',
    flag: { kind: 'text', value: '<name>', brief: 'for its runs' },
  },
  provider: {
    column: 'plain',
    given: (as) => as.model,
    stored: (as) => as.line,
    empty: null,
    create: true,
    edit: true,
    describe: 'The provider of the model',
    flag: { kind: 'text', value: '<name>', brief: 'of the model' },
  },
  effort: {
    column: 'plain',
    given: (as) => as.model,
    stored: (as) => as.line,
    empty: null,
    create: true,
    edit: true,
    describe: 'The reasoning effort of the model',
    flag: { kind: 'text', value: '<level>', brief: 'of that model' },
  },
  reviewer: {
    column: 'plain',
    given: (as) => as.name,
    empty: null,
    create: true,
    edit: true,
    describe:
      'The agent that must approve the card before the card is done; null: no review unless the worker asks for one',
    flag: {
      kind: 'agent_or_none',
      brief: 'its reviewer',
      describe: 'the agent that reviews the card; none: the reviewer of the board',
    },
    agents: 'show',
    fact: true,
  },
  createdAt: { column: 'plain', given: (as) => as.time },
  updatedAt: { column: 'plain', given: (as) => as.time },
  startedAt: { column: 'plain', given: (as) => as.time, empty: null },
  completedAt: { column: 'plain', given: (as) => as.time, empty: null },
  /** When the card last went into review. */
  reviewRequestedAt: { column: 'plain', given: (as) => as.time, empty: null },
  scheduledAt: {
    column: 'plain',
    given: (as) => as.time,
    empty: null,
    create: true,
    describe: 'Do not start the card before this time',
    flag: {
      kind: 'moment',
      name: 'at',
      brief: 'start at 09:00, tomorrow 9:00, +2h, 2026-11-30',
      describe: 'do not start the card before this time: 09:00, tomorrow 9:00, +2h, 2026-11-30, 2026-11-30T09:00',
    },
  },
  currentRunId: { column: 'plain', given: (as) => as.runId, empty: null },

  consecutiveFailures: { column: 'plain', given: (as) => as.count, empty: 0 },
  protocolViolations: { column: 'plain', given: (as) => as.count, empty: 0 },
  reviewFailures: { column: 'plain', given: (as) => as.count, empty: 0 },
  rateLimits: { column: 'plain', given: (as) => as.count, empty: 0 },
  lastError: { column: 'plain', given: (as) => as.text, empty: null },
  breakerOpen: { column: 'boolean', given: (as) => as.flag, empty: false },
  /** Attempts before this time do not count against the limit on attempts. */
  attemptsSince: { column: 'plain', given: (as) => as.time, empty: 0 },

  blockKind: { column: 'plain', given: (as) => as.blockKind, empty: null, agents: 'list' },
  blockReason: { column: 'plain', given: (as) => as.text, empty: null },
  blockedBy: { column: 'plain', given: (as) => as.line, empty: null },
  recentBlocks: { column: 'json', given: (as) => as.recentBlocks, empty: [] },
  /**
   * The status that the card gets when it is unblocked. Null means todo or ready. A card that was blocked in review has
   * the value `review`.
   */
  resumeStatus: { column: 'plain', given: (as) => as.resumeStatus, empty: null },
  held: {
    column: 'boolean',
    given: (as) => as.flag,
    empty: false,
    create: true,
    describe: 'Create the card on hold; it starts after its release',
    flag: { kind: 'toggle', name: 'hold', brief: 'until released' },
    agents: 'show',
  },
  /** The number of unfinished parents that the card waits for. Waived links and deleted parents do not count. */
  openParents: { column: 'plain', given: (as) => as.count },
  cooldownUntil: { column: 'plain', given: (as) => as.time, empty: null },
  cooldownReason: { column: 'plain', given: (as) => as.cooldownReason, empty: null },
  guardUntil: { column: 'plain', given: (as) => as.time, empty: null },
  guardReason: { column: 'plain', given: (as) => as.guardReason, empty: null },
  /**
   * The time of the last comment that named a pull request. An automatic retry waits for a while after such a comment,
   * because the retry might repeat finished work.
   */
  pullRequestAt: { column: 'plain', given: (as) => as.time, empty: null },
  /**
   * When the card was last done. Reopening the card keeps this time. An automatic retry waits for a while after this
   * time, because it might repeat finished work.
   */
  succeededAt: { column: 'plain', given: (as) => as.time, empty: null },
  /** Whether the card's commands may run. This is false while commands that an agent wrote wait for approval. */
  commandsApproved: { column: 'boolean', given: (as) => as.flag },

  /** When a dispatcher must look at the card again: see `nextLook`. This may be too early, but never too late. */
  dueAt: { column: 'plain', given: (as) => as.time, empty: null },
  /**
   * The order in which an agent's ready cards start: see `rankOf`. Priority moves a card forward by a fixed time, so no
   * card starves.
   */
  rank: { column: 'plain', given: (as) => as.whole },
  /** The part of the rank that comes from moving the card in its column: see `reorder`. */
  rankShift: { column: 'plain', given: (as) => as.whole, empty: 0 },

  maxRuntimeMs: {
    column: 'plain',
    given: (as) => as.runtime,
    stored: (as) => as.duration,
    empty: null,
    create: true,
    edit: true,
    describe: 'The time limit of a run',
    flag: {
      kind: 'duration',
      name: 'maxRuntime',
      brief: 'such as 30m',
      describe: 'the time limit of a run: 30m, 2h',
    },
  },
  maxRetries: {
    column: 'plain',
    given: (as) => as.positive,
    empty: null,
    create: true,
    edit: true,
    describe: 'Failures in a row before the card is blocked; null: the board’s limit',
    flag: {
      kind: 'whole',
      min: 1,
      brief: 'failures',
      describe: 'failures in a row before the card is blocked (default: the board’s limit)',
    },
  },
  goal: {
    column: 'json',
    given: (as) => as.goal,
    edited: (as) => as.goalEdit,
    stored: (as) => as.storedGoal,
    empty: null,
    create: true,
    edit: true,
    describe: 'Let its agent work in turns until a judge finds that the work meets the title and the body',
  },
  /** The number of judged turns since the goal last got all of its turns. */
  goalTurns: { column: 'plain', given: (as) => as.count, empty: 0 },
  checks: {
    column: 'json',
    given: (as) => as.lines,
    stored: (as) => as.texts,
    empty: [],
    create: true,
    edit: true,
    describe: 'Commands that must pass before the card is done',
    flag: {
      kind: 'list',
      name: 'check',
      value: '<cmd>',
      brief: 'must pass',
      describe: 'a command that must pass before the card is done',
    },
    tool: { create: '' },
    detail: true,
  },
  result: { column: 'plain', given: (as) => as.text, empty: null, detail: true },
  metadata: { column: 'json', given: (as) => as.json, empty: null },
  archivedFrom: { column: 'plain', given: (as) => as.status, empty: null },
  /** When the card was split into other cards. A card is split at most once. */
  decomposedAt: { column: 'plain', given: (as) => as.time, empty: null },
  /** How many times Muster has tried to plan the card automatically. */
  planAttempts: { column: 'plain', given: (as) => as.count, empty: 0 },
  planStartedAt: { column: 'plain', given: (as) => as.time, empty: null },
  /**
   * Muster does not plan the card automatically before this time. During a planning attempt, this keeps other machines
   * from planning the card.
   */
  planAfter: { column: 'plain', given: (as) => as.time, empty: 0 },
  /** Why the last planning attempt failed. */
  planFailure: { column: 'plain', given: (as) => as.text, empty: null, agents: 'show' },

  /** The tournament of the card, if its work is the best result of several entries: see core/tournament. */
  tournament: { column: 'json', given: (as) => as.tournament, empty: null },
  /** When the tournament began to wait for a person to pick the winner. */
  pickSince: { column: 'plain', given: (as) => as.time, empty: null },
  /** The card with the tournament in which this card is an entry. */
  entryOf: { column: 'plain', given: (as) => as.taskId, empty: null, agents: 'show', fact: true },

  deletedAt: { column: 'plain', given: (as) => as.time, empty: null },
  deletedBy: { column: 'plain', given: (as) => as.line, empty: null },
} as const satisfies Readonly<Record<string, CardField>>

type Table = typeof CARD_FIELDS
export type CardFieldName = keyof Table

/** The names of the fields that declare `Property`, with a value of the type `Value`. */
type Having<Property extends string, Value = unknown> = {
  [K in CardFieldName]: Table[K] extends Readonly<Record<Property, Value>> ? K : never
}[CardFieldName]

export type CreateField = Having<'create'>
export type EditField = Having<'edit'>
export type FilterField = Having<'filter'>
type ListField = Having<'filter', { readonly by: 'has' }>

type ResultOf<F> = F extends (schemas: Values) => infer S ? Extract<S, z.ZodType> : never

export type GivenSchema<K extends CardFieldName> = ResultOf<Table[K]['given']>

/** The schema of a value that a caller gives to change a card. */
export type EditedSchema<K extends CardFieldName> = Table[K] extends { readonly edited: infer F }
  ? ResultOf<F>
  : GivenSchema<K>

export type StoredSchema<K extends CardFieldName> = OrNull<
  K,
  Table[K] extends { readonly stored: infer F } ? ResultOf<F> : GivenSchema<K>
>

/** The schema `S`, extended with null if the field may be empty. */
export type OrNull<K extends CardFieldName, S extends z.ZodType> =
  K extends Having<'empty', null> ? z.ZodNullable<S> : S

/** The value by which `list` filters a field. For a list field, this is the list of values that the card must have. */
export type FilterValue<K extends FilterField> = K extends ListField
  ? readonly string[]
  : z.output<GivenSchema<K>> | (K extends 'assignee' ? null : never)

const ALL: readonly [CardFieldName, CardField][] = Object.entries(CARD_FIELDS) as [CardFieldName, CardField][]

export const CARD_FIELD_NAMES: readonly CardFieldName[] = ALL.map(([name]) => name)

/** The declaration of a field, typed as `CardField`. */
export const cardField = (name: CardFieldName): CardField => CARD_FIELDS[name]

const namesWith = <K extends CardFieldName>(property: keyof CardField): readonly K[] =>
  ALL.filter(([, field]) => field[property] !== undefined).map(([name]) => name as K)

export const CREATE_FIELDS = namesWith<CreateField>('create')
export const EDIT_FIELDS = namesWith<EditField>('edit')
export const FILTER_FIELDS = namesWith<FilterField>('filter')
/** The fields that `list` prints after the title. */
export const AFTER_TITLE_FIELDS = namesWith<Having<'afterTitle'>>('afterTitle')
/**
 * The list fields by which `list` can filter cards. The table `card_value` has a row for each value of these fields.
 */
export const INDEXED_LISTS = FILTER_FIELDS.filter((name) => cardField(name).filter?.by === 'has')
export const DETAIL_FIELDS = namesWith<Having<'detail'>>('detail')
export const BRIEFING_FIELDS = namesWith<Having<'briefing'>>('briefing')
/** The fields that `muster show` prints without formatting them. */
export const FACT_FIELDS = namesWith<Having<'fact'>>('fact')

/** The fields that agents see only in `kanban_show`, or also in `kanban_list`. */
export const agentFields = (where: 'list' | 'show'): readonly CardFieldName[] =>
  ALL.filter(([, { agents }]) => agents === where).map(([name]) => name)

/** The values of the fields that the caller of `create` does not give. */
export const EMPTY_FIELDS: Readonly<Record<string, unknown>> = Object.fromEntries(
  ALL.flatMap(([name, { empty }]) => (empty === undefined ? [] : [[name, empty]])),
)

/** Formats a simple value as text. Null becomes an empty text. */
export const fieldText = (value: string | number | readonly string[] | null): string =>
  value === null ? '' : typeof value === 'object' ? value.join(', ') : String(value)

/** The codec of each column of a card. A field with several parts has one column per part, such as `workspace.path`. */
export const CARD_COLUMNS: Readonly<Record<string, Codec>> = Object.fromEntries(
  ALL.flatMap(([name, { column }]) =>
    typeof column === 'string'
      ? [[name, column]]
      : Object.entries(column).map(([part, codec]) => [`${name}.${part}`, codec]),
  ),
)
