/**
 * Wraps the store for changes by an agent. A change is marked as approved if the agent itself may run all commands that
 * the change would start. Core decides the effect of a change that is not approved.
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
  /** Whether the agent works inside a run. A card that it creates there is checked again when the card is claimed. */
  readonly inRun: boolean
  /** The only folder in which the agent's cards may work. Null means that they may work in any folder. */
  readonly within: WorkFolder | null
}

interface WorkFolder {
  readonly folder: string
  /**
   * The repository of this worktree. Cards may add worktrees of the repository, but may not work in its own checkout.
   */
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

/** Returns the input, marked as approved or not approved. If the change is not allowed, returns the reason. */
type ApproveWrite<N extends VerbName> = (input: VerbInput<N>, write: AgentWrite) => Promise<VerbInput<N> | BoardError>

const APPROVALS: { readonly [N in VerbName]?: ApproveWrite<N> } = {
  create: async (input, write) => {
    return { ...input, cards: await Promise.all(input.cards.map((card) => approvedCard(card, write))) }
  },
  create_swarm: async ({ root, workers, verifier, synthesizer }, write) => ({
    root: await approvedCard(root, write),
    workers: await Promise.all(workers.map((card) => approvedCard(card, write))),
    verifier: await approvedCard(verifier, write),
    synthesizer: await approvedCard(synthesizer, write),
  }),
  decompose: async (input, write) => ({
    ...input,
    cards: await Promise.all(
      input.cards.map(async (card) => {
        const approved = await approvedCard(card, write)
        // A model wrote the commands of this card. Not even an agent with full permissions may approve them.
        return card.commandsApproved === false ? { ...approved, commandsApproved: false } : approved
      }),
    ),
  }),
  specify: async (input, write) => {
    const assignee = input.assignee ?? (await write.store.task(write.board, input.task))?.assignee ?? null
    const isApproved = input.commandsApproved !== false && (await isHarmless({ ...input, assignee }, write))
    return { ...input, commandsApproved: isApproved }
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

async function approvedCard(card: NewCard, write: AgentWrite) {
  const workspace = await checkWorkspace(card.workspace, write)
  return { ...card, ...workspace.set, commandsApproved: workspace.isWithin && (await isHarmless(card, write)) }
}

async function isHarmless(
  { assignee = null, reviewer = null, checks = [] }: Pick<NewCard, 'assignee' | 'reviewer' | 'checks'>,
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
 * Whether the workspace of a card is inside the folder of its author, directly or as a worktree. The card stores the
 * real path of the folder. So a symbolic link that replaces the folder later has no effect on where the card works.
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

/** Whether the agent `name` has at most the permissions of the card's author. */
async function hasNoMoreRights(name: string | null, write: AgentWrite, ifUnknown = false): Promise<boolean> {
  const { home, author } = write
  if (author.permissions === 'full') return true
  const runner = name ?? (await boardSettingsOf(write)).defaultAssignee
  if (runner === null) return true
  const agent = (await readRoster(home)).agents.get(runner)
  return agent === undefined ? ifUnknown : causeForApproval(author.permissions, agent) === null
}

/**
 * Whether the board has approved every new command in these checks. The commands in `existing` are already on the card.
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

/** The settings for a board that does not exist. Core refuses changes on such a board anyway. */
const NO_SETTINGS = {
  defaultAssignee: null,
  defaultDirectory: null,
  reviewer: null,
  approvedChecks: [] as readonly string[],
}
