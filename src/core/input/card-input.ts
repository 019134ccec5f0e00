/** The input of a new card, and the row that it becomes. Create, decompose and every planner use both. */
import * as z from 'zod'
import { actorName, actorRun } from '../actor.ts'
import type { Actor } from '../actor.ts'
import type { Board } from '../board.ts'
import { CREATE_FIELDS, EDIT_FIELDS, EMPTY_FIELDS, FILTER_FIELDS, cardField } from '../card-fields.ts'
import type {
  CardFieldName,
  CreateField,
  EditField,
  FilterField,
  FilterValue,
  GivenSchema,
  OrNull,
} from '../card-fields.ts'
import { isApprovedAtCreation } from '../gates/command-approval.ts'
import { gates } from '../gates/readiness.ts'
import { NO_FILES } from '../gates/workspace-gates.ts'
import { rankOf } from '../limits/deadlines.ts'
import type { Task } from '../task.ts'
import type { Status } from '../vocabulary.ts'
import { VALUES } from './card-values.ts'
import type { Values } from './card-values.ts'

/** The maximum number of cards in a batch, because one transaction creates all of them. */
export const CARDS_MAX = 1000

/** A card with more parents is a mistake, and deciding on it would hold the locks for too long. */
const EDGES_MAX = 1000

/** Every field except the title has a default. */
type CreateShape = {
  readonly [K in CreateField]: K extends 'title' ? GivenSchema<K> : z.ZodDefault<OrNull<K, GivenSchema<K>>>
}
type FilterShape = { readonly [K in FilterField]: z.ZodExactOptional<z.ZodType<FilterValue<K>>> }
type EditShape = { readonly [K in EditField]: OrNull<K, GivenSchema<K>> }

/** The schema of a value in the caller's input, with its description. */
function givenSchema(name: CardFieldName): z.ZodType {
  const { given, empty, describe } = cardField(name)
  const schema = empty === null ? given(VALUES).nullable() : given(VALUES)
  return describe === undefined ? schema : schema.describe(describe)
}

function createSchema(name: CreateField): z.ZodType {
  const { empty, describe = '' } = cardField(name)
  return empty === undefined ? givenSchema(name) : givenSchema(name).default(empty).describe(describe)
}

const shapeOf = <K extends CardFieldName, Shape>(
  names: readonly K[],
  schemaOf: (name: K) => z.ZodType,
  // The table has a schema for each name.
): Shape => Object.fromEntries(names.map((name) => [name, schemaOf(name)])) as Shape

/** The fields that `create` takes, each with its default. */
export const createShape = shapeOf<CreateField, CreateShape>(CREATE_FIELDS, createSchema)

/** The fields that `edit` takes. The value null clears a field. */
export const editShape = shapeOf<EditField, EditShape>(EDIT_FIELDS, givenSchema)

/** Like `editShape`, but every field is optional. */
export const someEditShape = shapeOf<EditField, { readonly [K in EditField]: z.ZodExactOptional<EditShape[K]> }>(
  EDIT_FIELDS,
  (name) => z.exactOptional(givenSchema(name)).describe(cardField(name).describe ?? ''),
)

/** The fields that `list` selects cards by. */
export const filterShape = shapeOf<FilterField, FilterShape>(FILTER_FIELDS, (name) => {
  const { given, filter } = cardField(name)
  const schema = name === 'assignee' ? given(VALUES).nullable() : given(VALUES)
  return z.exactOptional(schema).describe(filter?.describe ?? '')
})

const cardShape = {
  ...createShape,
  id: VALUES.taskId,
  parents: z.array(VALUES.taskId).max(EDGES_MAX).default([]),
  goal: VALUES.goal.nullable().default(null),
  triage: z.boolean().default(false),
  blocked: z.boolean().default(false),
  /**
   * Whether the commands of the card may run. The surface sets true for an agent with full permissions, and false for
   * text that an agent wrote.
   */
  commandsApproved: z.boolean().optional(),
}

interface DependentFields {
  readonly branch: string | null
  readonly base: string | null
  readonly triage: boolean
  readonly blocked: boolean
  /** Null if the workspace is not chosen yet. */
  readonly workspace: z.infer<Values['askedWorkspace']> | null
}

/** Checks the fields of a card that depend on each other. */
export function checkDependentFields(
  { workspace, branch, base, triage, blocked }: DependentFields,
  ctx: z.RefinementCtx,
): void {
  const fault = (path: string, message: string): void => ctx.addIssue({ code: 'custom', path: [path], message })
  if (branch !== null && workspace?.kind !== 'worktree') fault('branch', 'belongs to worktree workspaces only')
  if (base !== null && workspace?.kind !== 'worktree') fault('base', 'belongs to worktree workspaces only')
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
}

/** The fields that a new card takes unchanged from the caller, and the empty values of the other fields. */
const asGiven = (card: CardInput): Omit<Task, DecidedField> =>
  ({
    ...EMPTY_FIELDS,
    ...Object.fromEntries(CREATE_FIELDS.map((name) => [name, card[name]])),
    id: card.id,
    goal: card.goal,
    // The table has a value for each name.
  }) as Omit<Task, DecidedField>

/** The fields whose first value is decided here. */
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
    createdByRun: actorRun(actor),
    workspace: firstWorkspace(card.workspace, board.settings),
    createdAt: now,
    updatedAt: now,
    blockKind: card.blocked ? 'needs_input' : null,
    blockReason: card.blocked ? 'created blocked' : null,
    blockedBy: card.blocked ? by : null,
    openParents,
    commandsApproved: isApprovedAtCreation(actor, card.commandsApproved),
    dueAt: status === 'scheduled' ? card.scheduledAt : null,
    rank: rankOf({ createdAt: now, priority: card.priority }, board),
  }
}

/** Whether the workspace has a directory. Muster creates scratch folders, but other directories must exist. */
export const hasDirectory = (
  { kind, path, repo }: CardInput['workspace'],
  { settings }: Pick<Board, 'settings'>,
): boolean => kind === 'scratch' || (path ?? repo ?? settings.defaultDirectory) !== null

/** A card that names no directory or repository takes the board's default directory. */
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
