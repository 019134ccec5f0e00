/** A card as somebody asks for it, and the row it becomes. Create, decompose and every planner share both. */
import * as z from 'zod'
import { actorName, actorRun } from '../actor.ts'
import type { Actor } from '../actor.ts'
import type { Board } from '../board.ts'
import { branchNameFault } from './branch-name.ts'
import { bornApproved } from '../gates/command-approval.ts'
import { rankOf } from '../limits/deadlines.ts'
import { duration, line, name, taskId, text, time } from './fields.ts'
import { gates } from '../gates/readiness.ts'
import { goalSchema } from '../goal.ts'
import type { Task } from '../task.ts'
import type { Status } from '../vocabulary.ts'
import { WORKSPACE_KINDS } from '../vocabulary.ts'
import { NO_FILES } from '../gates/workspace-gates.ts'

const isAbsolute = (path: string): boolean => path.startsWith('/')

/** A title is a line people read in a list; a body holds the rest. */
const TITLE_MAX = 500
const BODY_MAX = 1_000_000

export const titleField = line.refine(
  (value) => value.length <= TITLE_MAX,
  `must be at most ${TITLE_MAX} characters; put the rest into the body`,
)
export const bodyField = text.refine(
  (value) => value.length <= BODY_MAX,
  `must be at most ${BODY_MAX} characters; attach a file instead`,
)

/** Skills in the order given, once each. A comma means that somebody passed a list as one name. */
export const skillsField = z
  .array(text)
  .transform((skills) => [...new Set(skills.map((skill) => skill.trim()).filter((skill) => skill !== ''))])
  .refine((skills) => skills.every((skill) => !skill.includes(',')), 'must be given one by one, without commas')

export const branchField = line.superRefine((value, ctx) => {
  const message = branchNameFault(value)
  if (message !== null) ctx.addIssue({ code: 'custom', message })
})

/** Goes to a program as an argument: what looks like one of its options might be taken for it. */
export const modelField = line.refine((value) => !value.startsWith('-'), 'must not start with "-"')

/** Where a card is to be worked on; what is left out, the board says. */
export const workspaceField = z
  .object({
    kind: z.enum(WORKSPACE_KINDS),
    path: text.nullable().default(null),
    repo: text.nullable().default(null),
  })
  .superRefine(({ kind, path, repo }, ctx) => {
    const fault = (message: string): void => ctx.addIssue({ code: 'custom', path: [], message })
    if (kind === 'scratch' && path !== null) fault('of kind scratch takes no path; use dir:<path>')
    if (kind === 'worktree' && path !== null) fault('of kind worktree takes a repository, not a path')
    if (path !== null && !isAbsolute(path)) fault(`path ${path} must be absolute`)
    if (repo !== null && !isAbsolute(repo)) fault(`repository ${repo} must be absolute`)
  })

/** More parents than this are a mistake, and a decision about them would hold its locks for too long. */
const EDGES_MAX = 1000

/** Each field by itself; what they mean together is checked by the schema of the whole. */
export const cardFields = {
  id: taskId,
  title: titleField,
  body: bodyField.nullable().default(null),
  assignee: name.nullable().default(null),
  parents: z.array(taskId).max(EDGES_MAX).default([]),
  priority: z.int().min(-1_000_000).max(1_000_000).default(0),
  tenant: line.nullable().default(null),
  session: line.nullable().default(null),
  workflow: line.nullable().default(null),
  step: line.nullable().default(null),
  idempotencyKey: line.nullable().default(null),
  workspace: workspaceField.default({ kind: 'scratch', path: null, repo: null }),
  branch: branchField.nullable().default(null),
  skills: skillsField.nullable().default(null),
  model: modelField.nullable().default(null),
  provider: modelField.nullable().default(null),
  effort: modelField.nullable().default(null),
  reviewer: name.nullable().default(null),
  maxRuntimeMs: duration.min(1).nullable().default(null),
  maxRetries: z.int().min(1).nullable().default(null),
  goal: goalSchema.nullable().default(null),
  checks: z.array(line).default([]),
  scheduledAt: time.nullable().default(null),
  triage: z.boolean().default(false),
  blocked: z.boolean().default(false),
  held: z.boolean().default(false),
  /** Whether the commands it carries may run; a surface says so for agents with full permissions. */
  commandsApproved: z.boolean().optional(),
}

type Whole = z.infer<z.ZodObject<Pick<typeof cardFields, 'branch' | 'triage' | 'blocked'>>> & {
  /** Null: it is not decided yet. */
  readonly workspace: z.infer<typeof workspaceField> | null
}

/** What the fields of a card mean together. */
export function checkTogether({ workspace, branch, triage, blocked }: Whole, ctx: z.RefinementCtx): void {
  const fault = (path: string, message: string): void => ctx.addIssue({ code: 'custom', path: [path], message })
  if (branch !== null && workspace?.kind !== 'worktree') fault('branch', 'belongs to worktree workspaces only')
  if (triage && blocked) fault('triage', 'and an initial status of blocked exclude each other')
}

export const cardInputSchema = z
  .object(cardFields)
  .superRefine(checkTogether)
  .refine(({ id, parents }) => !parents.includes(id), { path: ['parents'], message: 'must not name the card itself' })
export type CardInput = z.infer<typeof cardInputSchema>

export interface Birth {
  readonly board: Board
  readonly actor: Actor
  readonly now: number
  /** The rows of the card's parents, those born in the same batch included. */
  readonly parents: readonly Task[]
  readonly createdBy?: string
}

/** What has not happened yet to a card that was just made. */
const UNTOUCHED = {
  landed: null,
  startedAt: null,
  completedAt: null,
  reviewRequestedAt: null,
  currentRunId: null,
  consecutiveFailures: 0,
  protocolViolations: 0,
  reviewFailures: 0,
  rateLimits: 0,
  lastError: null,
  breakerOpen: false,
  attemptsSince: 0,
  recentBlocks: [],
  resumeStatus: null,
  cooldownUntil: null,
  cooldownReason: null,
  guardUntil: null,
  guardReason: null,
  pullRequestAt: null,
  succeededAt: null,
  result: null,
  metadata: null,
  archivedFrom: null,
  deletedAt: null,
  deletedBy: null,
} as const satisfies Partial<Task>

/** What a card has as it was asked for. */
const asAsked = (card: CardInput) => ({
  id: card.id,
  title: card.title,
  body: card.body,
  assignee: card.assignee,
  priority: card.priority,
  session: card.session,
  workflow: card.workflow,
  step: card.step,
  idempotencyKey: card.idempotencyKey,
  branch: card.branch,
  skills: card.skills,
  model: card.model,
  provider: card.provider,
  effort: card.effort,
  reviewer: card.reviewer,
  scheduledAt: card.scheduledAt,
  held: card.held,
  maxRuntimeMs: card.maxRuntimeMs,
  maxRetries: card.maxRetries,
  goal: card.goal,
  checks: card.checks,
})

export function taskFrom(card: CardInput, birth: Birth): Task {
  const { board, actor, now, parents } = birth
  const openParents = parents.filter(gates).length
  const status = firstStatus(card, openParents)
  const by = birth.createdBy ?? actorName(actor)
  return {
    ...UNTOUCHED,
    ...asAsked(card),
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
    commandsApproved: bornApproved(actor, card.commandsApproved),
    dueAt: status === 'scheduled' ? card.scheduledAt : null,
    rank: rankOf({ createdAt: now, priority: card.priority }, board),
  }
}

/** Scratch folders are made; the others must be somewhere already. */
export const hasPlace = (
  { kind, path, repo }: CardInput['workspace'],
  { settings }: Pick<Board, 'settings'>,
): boolean => kind === 'scratch' || (path ?? repo ?? settings.defaultDirectory) !== null

/** A directory, or a repository, that nobody named is the board's. */
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
