/** The input of a new card, and the row that is built from it. */
import * as z from 'zod'
import { actorName, actorRun } from '../actor.ts'
import type { Actor } from '../actor.ts'
import type { Board } from '../board.ts'
import { CREATE_FIELDS, EDIT_FIELDS, EMPTY_FIELDS, FILTER_FIELDS, cardField } from '../card-fields.ts'
import type {
  CardFieldName,
  CreateField,
  EditField,
  EditedSchema,
  FilterField,
  FilterValue,
  GivenSchema,
  OrNull,
} from '../card-fields.ts'
import { isApprovedAtCreation } from '../gates/command-approval.ts'
import { gates } from '../gates/readiness.ts'
import type { SeriesId } from '../ids.ts'
import { NO_FILES } from '../gates/workspace-gates.ts'
import { rankOf } from '../limits/deadlines.ts'
import type { Task } from '../task.ts'
import type { Status } from '../vocabulary.ts'
import { VALUES } from './card-values.ts'
import type { Values } from './card-values.ts'

/** The maximum number of cards in a batch, because one transaction creates all of them. */
export const CARDS_MAX = 1000

/**
 * The maximum number of parents of a card. More parents are a mistake, and reading them would hold the locks for too
 * long.
 */
const EDGES_MAX = 1000

/** The input of a new card. Every field except the title has a default. */
type CreateShape = {
  readonly [K in CreateField]: K extends 'title' ? GivenSchema<K> : z.ZodDefault<OrNull<K, GivenSchema<K>>>
}
type FilterShape = { readonly [K in FilterField]: z.ZodExactOptional<z.ZodType<FilterValue<K>>> }
type EditShape = { readonly [K in EditField]: OrNull<K, EditedSchema<K>> }

/** The schema of a field in the caller's input, with its description. */
const givenSchema = (name: CardFieldName): z.ZodType => described(name, cardField(name).given)

/** The schema of a field in an edit. */
function editedSchema(name: CardFieldName): z.ZodType {
  const { given, edited = given } = cardField(name)
  return described(name, edited)
}

function described(name: CardFieldName, schemaIn: (schemas: Values) => z.ZodType): z.ZodType {
  const { empty, describe } = cardField(name)
  const schema = empty === null ? schemaIn(VALUES).nullable() : schemaIn(VALUES)
  return describe === undefined ? schema : schema.describe(describe)
}

function createSchema(name: CreateField): z.ZodType {
  const { empty, describe = '' } = cardField(name)
  return empty === undefined ? givenSchema(name) : givenSchema(name).default(empty).describe(describe)
}

const shapeOf = <K extends CardFieldName, Shape>(
  names: readonly K[],
  schemaOf: (name: K) => z.ZodType,
  // The cast is safe, because the object has a schema for each name of `names`.
): Shape => Object.fromEntries(names.map((name) => [name, schemaOf(name)])) as Shape

export const createShape = shapeOf<CreateField, CreateShape>(CREATE_FIELDS, createSchema)

/** The fields that `edit` accepts. The value null clears a field. */
export const editShape = shapeOf<EditField, EditShape>(EDIT_FIELDS, editedSchema)

/** Like `editShape`, but every field is optional. */
export const someEditShape = shapeOf<EditField, { readonly [K in EditField]: z.ZodExactOptional<EditShape[K]> }>(
  EDIT_FIELDS,
  (name) => z.exactOptional(editedSchema(name)).describe(cardField(name).describe ?? ''),
)

/** Like `createShape`, but every field is optional and none has a default. */
export const someCreateShape = shapeOf<
  CreateField,
  { readonly [K in CreateField]: z.ZodExactOptional<OrNull<K, GivenSchema<K>>> }
>(CREATE_FIELDS, (name) => z.exactOptional(givenSchema(name)).describe(cardField(name).describe ?? ''))

/** The fields that `list` selects cards by. */
export const filterShape = shapeOf<FilterField, FilterShape>(FILTER_FIELDS, (name) => {
  const { given, filter } = cardField(name)
  const schema = name === 'assignee' ? given(VALUES).nullable() : given(VALUES)
  return z.exactOptional(schema).describe(filter?.describe ?? '')
})

/** The fields of a new card, including those that the command line, the server or the board fills in. */
export const cardShape = {
  ...createShape,
  id: VALUES.taskId,
  parents: z.array(VALUES.taskId).max(EDGES_MAX).default([]),
  triage: z.boolean().default(false),
  blocked: z.boolean().default(false),
  /**
   * Whether the commands of the card may run. Callers pass true for an agent with full permissions, and false for text
   * that an agent wrote.
   */
  commandsApproved: z.boolean().optional(),
}

interface DependentFields {
  readonly branch: string | null
  readonly base: string | null
  readonly triage: boolean
  readonly blocked: boolean
  readonly goal: { readonly judge: string } | null
  readonly checks: readonly string[]
  /** The workspace. Null if no workspace is chosen yet. */
  readonly workspace: z.infer<Values['askedWorkspace']> | null
}

/** Checks fields that must fit together, such as workspace and branch. */
export function checkDependentFields(
  { workspace, branch, base, triage, blocked, goal, checks }: DependentFields,
  ctx: z.RefinementCtx,
): void {
  const fault = (path: string, message: string): void => ctx.addIssue({ code: 'custom', path: [path], message })
  if (branch !== null && workspace?.kind !== 'worktree') fault('branch', 'belongs to worktree workspaces only')
  if (base !== null && workspace?.kind !== 'worktree') fault('base', 'belongs to worktree workspaces only')
  if (goal?.judge === 'checks' && checks.length === 0)
    fault('goal', 'has no checks that could judge it: add a check, or let a model judge')
  if (triage && blocked) fault('triage', 'and an initial status of blocked exclude each other')
}

export const cardInputSchema = z
  .object(cardShape)
  .superRefine(checkDependentFields)
  .refine(({ id, parents }) => !parents.includes(id), { path: ['parents'], message: 'must not name the card itself' })
export type CardInput = z.infer<typeof cardInputSchema>

export interface NewCardContext {
  readonly board: Board
  readonly actor: Actor
  readonly now: number
  /** The rows of the card's parents, including those of the same batch. */
  readonly parents: readonly Task[]
  readonly createdBy?: string
  /** The series that creates the card, with the run that added the series. */
  readonly series?: { readonly id: SeriesId; readonly slot: number; readonly createdByRun: Task['createdByRun'] }
}

/** The new row before Muster fills in the fields that it decides itself. */
const asGiven = (card: CardInput): Omit<Task, DecidedField> =>
  ({
    ...EMPTY_FIELDS,
    ...Object.fromEntries(CREATE_FIELDS.map((name) => [name, card[name]])),
    id: card.id,
    // The cast is safe, because every field of the row has a value.
  }) as Omit<Task, DecidedField>

/** The fields whose first value Muster decides. The caller cannot choose them. */
type DecidedField =
  | 'board'
  | 'status'
  | 'createdBy'
  | 'workspace'
  | 'createdAt'
  | 'updatedAt'
  | 'openParents'
  | 'commandsApproved'
  | 'rank'

export function taskFrom(card: CardInput, context: NewCardContext): Task {
  const { board, actor, now, parents } = context
  const openParents = parents.filter(gates).length
  const status = firstStatus(card, openParents)
  const by = context.createdBy ?? actorName(actor)
  return {
    ...asGiven(card),
    board: board.slug,
    status,
    tenant: card.tenant ?? parents.find((parent) => parent.tenant !== null)?.tenant ?? null,
    createdBy: by,
    createdByRun: context.series === undefined ? actorRun(actor) : context.series.createdByRun,
    series: context.series?.id ?? null,
    seriesSlot: context.series?.slot ?? null,
    workspace: firstWorkspace(card.workspace, board.settings),
    createdAt: now,
    updatedAt: now,
    blockKind: card.blocked ? 'needs_input' : null,
    blockReason: card.blocked ? 'created blocked' : null,
    blockedBy: card.blocked ? by : null,
    openParents,
    commandsApproved: isApprovedAtCreation(actor, card.commandsApproved),
    dueAt: status === 'scheduled' ? card.scheduledAt : null,
    rank: rankOf({ createdAt: now, priority: card.priority, rankShift: 0 }, board),
  }
}

/**
 * Whether the workspace has a directory. Muster creates the folder of a scratch workspace; other workspaces need an
 * existing directory.
 */
export const hasDirectory = (
  { kind, path, repo }: CardInput['workspace'],
  { settings }: Pick<Board, 'settings'>,
): boolean => kind === 'scratch' || (path ?? repo ?? settings.defaultDirectory) !== null

/**
 * The workspace of a new card. If the caller names no directory or repository, the board's default directory is used.
 */
export const firstWorkspace = (
  { kind, path, repo }: CardInput['workspace'],
  { defaultDirectory }: Board['settings'],
): Task['workspace'] => ({
  kind,
  path: path ?? (kind === 'dir' ? defaultDirectory : null),
  repo: repo ?? (kind === 'worktree' ? defaultDirectory : null),
  ...NO_FILES,
})

function firstStatus(card: CardInput, openParents: number): Status {
  if (card.blocked) return 'blocked'
  if (card.triage) return 'triage'
  if (card.scheduledAt !== null) return 'scheduled'
  return openParents > 0 ? 'todo' : 'ready'
}
