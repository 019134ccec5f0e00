/**
 * Wraps the store for an agent. A write is marked as approved if it starts only commands that the agent may run itself.
 * Core then decides what an unapproved write means for a card.
 */
import type { BoardSettings } from '../../core/board.ts'
import type { Command, OutcomeOf } from '../../core/command.ts'
import { BoardError } from '../../core/errors.ts'
import type { VerbInput, VerbName } from '../../core/transitions/index.ts'
import type { Store } from '../../storage/store.ts'
import { isOutside } from '../../util/paths.ts'
import { overlay } from '../../util/objects.ts'
import type { Permissions } from '../../core/vocabulary.ts'
import { parseCheck } from '../../supervisor/checks/check.ts'
import { causeForApproval } from '../../agents/permissions.ts'
import { readRoster } from '../../agents/roster.ts'
import { realFolder } from '../../workspaces/directory.ts'

export interface Author {
  readonly permissions: Permissions
  /** Whether the agent writes from inside a run. A card created there is checked again when it is claimed. */
  readonly inRun: boolean
  /** The only folder in which the agent's cards may work, or null if they may work in any folder. */
  readonly within: WorkFolder | null
}

interface WorkFolder {
  readonly folder: string
  /** The repository of this worktree. Cards may add worktrees of it, but may not work in its own checkout. */
  readonly repo: string | null
}

export function approveAgentWrites(store: Store, author: Author, home: string): Store {
  const decide = async <N extends VerbName>(command: Command<N>): Promise<OutcomeOf<N>> => {
    const approve = APPROVALS[command.verb]
    if (approve === undefined) return store.decide(command)
    const input = await approve(command.input, { store, author, home, board: command.board })
    return input instanceof BoardError ? { ok: false, error: input } : store.decide({ ...command, input })
  }
  return overlay(store, { decide })
}

interface AgentWrite {
  readonly store: Store
  readonly author: Author
  readonly home: string
  readonly board: string
}

/** Returns the input, marked as approved or not approved, or the reason to refuse it. */
type ApproveWrite<N extends VerbName> = (input: VerbInput<N>, write: AgentWrite) => Promise<VerbInput<N> | BoardError>

const APPROVALS: { readonly [N in VerbName]?: ApproveWrite<N> } = {
  create: async (input, write) => {
    const approve = async (card: NewCard) => {
      const workspace = await checkWorkspace(card.workspace, write)
      return { ...card, ...workspace.set, commandsApproved: workspace.isWithin && (await isHarmless(card, write)) }
    }
    return { ...input, cards: await Promise.all(input.cards.map(approve)) }
  },
  edit: async (input, write) => {
    const workspace = await checkWorkspace(input.set.workspace, write)
    const commandsApproved = workspace.isWithin && (await isHarmlessChange(input, write))
    return { ...input, set: { ...input.set, ...workspace.set }, commandsApproved }
  },
  assign: async (input, write) => ({ ...input, commandsApproved: await hasNoMoreRights(input.assignee, write) }),
  verdict: async (input, write) =>
    input.verdict.kind === 'request_review' ? ((await reviewFault(input.verdict, write)) ?? input) : input,
  request_review: async (input, write) => (await reviewFault(input, write)) ?? input,
}

type NewCard = VerbInput<'create'>['cards'][number]

async function isHarmless(
  { assignee = null, reviewer = null, checks = [] }: NewCard,
  write: AgentWrite,
): Promise<boolean> {
  const { inRun } = write.author
  return (
    (await hasNoMoreRights(assignee, write, inRun)) &&
    (reviewer === null || (await hasNoMoreRights(reviewer, write, inRun))) &&
    (await areSafeChecks(checks, write))
  )
}

async function isHarmlessChange({ task, set }: VerbInput<'edit'>, write: AgentWrite): Promise<boolean> {
  const { body, checks, reviewer } = set
  if (body === undefined && checks === undefined && reviewer === undefined) return true
  const card = await write.store.task(write.board, task)
  return (
    (body === undefined || (await hasNoMoreRights(card?.assignee ?? null, write))) &&
    (reviewer == null || (await hasNoMoreRights(reviewer, write))) &&
    (checks === undefined || (await areSafeChecks(checks, write, card?.checks)))
  )
}

type Workspace = NewCard['workspace']

/**
 * Whether the workspace of a card is inside the folder of its author, directly or as a worktree. The real path of the
 * folder is stored, so that a symbolic link put in its place later does not lead elsewhere.
 */
async function checkWorkspace(
  workspace: Workspace,
  write: AgentWrite,
): Promise<{ readonly isWithin: boolean; readonly set: { readonly workspace?: Workspace & {} } }> {
  const field = workspace?.kind === 'worktree' ? 'repo' : 'path'
  const named = workspace?.[field]
  if (workspace === undefined || named == null) return { isWithin: true, set: {} }
  const real = await realFolder(named)
  const set = real === null ? {} : { workspace: { ...workspace, [field]: real } }
  const { permissions, within } = write.author
  if (within === null || permissions === 'full') return { isWithin: true, set }
  const { defaultDirectory } = await boardSettingsOf(write)
  const folders = [within.folder, defaultDirectory, field === 'repo' ? within.repo : null]
  const roots = await Promise.all(folders.filter((folder) => folder !== null).map(realFolder))
  return { isWithin: real !== null && roots.some((root) => root !== null && !isOutside(root, real)), set }
}

/** Whether an agent has no more permissions than the author of its card. */
async function hasNoMoreRights(name: string | null, write: AgentWrite, ifUnknown = false): Promise<boolean> {
  const { home, author } = write
  if (author.permissions === 'full') return true
  const runner = name ?? (await boardSettingsOf(write)).defaultAssignee
  if (runner === null) return true
  const agent = (await readRoster(home)).agents.get(runner)
  return agent === undefined ? ifUnknown : causeForApproval(author.permissions, agent) === null
}

/**
 * Whether every new command in these checks is approved for the board. Commands in `existing` are already on the card.
 */
async function areSafeChecks(
  checks: readonly string[],
  write: AgentWrite,
  existing: readonly string[] = [],
): Promise<boolean> {
  if (write.author.permissions === 'full') return true
  const commands = checks.filter((check) => parseCheck(check).kind === 'command' && !existing.includes(check))
  if (commands.length === 0) return true
  const { approvedChecks } = await boardSettingsOf(write)
  return commands.every((check) => approvedChecks.includes(check))
}

/** A worker may only name a reviewer with the same or fewer permissions; the board's own reviewer is exempt. */
async function reviewFault({ reviewer }: { reviewer?: string | null | undefined }, write: AgentWrite) {
  if (reviewer == null || reviewer === (await boardSettingsOf(write)).reviewer) return null
  if (await hasNoMoreRights(reviewer, write, true)) return null
  return new BoardError(
    'not_allowed',
    `${reviewer} has more permissions than you, so only a person can name it as reviewer. Leave the reviewer out to use the board's own.`,
    { details: { reviewer } },
  )
}

async function boardSettingsOf({ store, board }: AgentWrite): Promise<BoardSettings | typeof NO_SETTINGS> {
  return (await store.board(board))?.settings ?? NO_SETTINGS
}

/** The settings for a board that does not exist. Core refuses the write anyway. */
const NO_SETTINGS = {
  defaultAssignee: null,
  defaultDirectory: null,
  reviewer: null,
  approvedChecks: [] as readonly string[],
}
