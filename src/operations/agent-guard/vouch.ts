/**
 * The store as an agent may use it: what it writes is vouched for where it carries no command. What that means for a
 * card core decides; who an agent is, and what would become of its words, is known out here.
 */
import type { BoardSettings } from '../../core/board.ts'
import type { Command, OutcomeOf } from '../../core/command.ts'
import { BoardError } from '../../core/errors.ts'
import type { InputOf, VerbName } from '../../core/transitions/index.ts'
import type { Store } from '../../storage/store.ts'
import { leadsOut } from '../../util/leads-out.ts'
import { overlay } from '../../util/overlay.ts'
import type { Permissions } from '../../core/vocabulary.ts'
import { parseCheck } from '../../supervisor/checks/check.ts'
import { beyond } from '../../agents/permissions.ts'
import { readRoster } from '../../agents/roster.ts'
import { realFolder } from '../../workspaces/directory.ts'

export interface Author {
  readonly permissions: Permissions
  /** Whether it speaks for a run: the claim of a card that a run has made looks again at who is to have it. */
  readonly inRun: boolean
  /** Where it works, if it hands out no folder beyond that; null: it may name any. */
  readonly within: Whereabouts | null
}

interface Whereabouts {
  readonly folder: string
  /** The repository that this is a worktree of. Its files are somebody else's, but more worktrees of it may be made. */
  readonly repo: string | null
}

export function vouching(store: Store, author: Author, home: string): Store {
  const decide = async <N extends VerbName>(command: Command<N>): Promise<OutcomeOf<N>> => {
    const vouch = VOUCH[command.verb]
    if (vouch === undefined) return store.decide(command)
    const input = await vouch(command.input, { store, author, home, board: command.board })
    return input instanceof BoardError ? { ok: false, error: input } : store.decide({ ...command, input })
  }
  return overlay(store, { decide })
}

interface Scene {
  readonly store: Store
  readonly author: Author
  readonly home: string
  readonly board: string
}

/** What is asked, with our word for it; or why it may not be asked. */
type Vouch<N extends VerbName> = (input: InputOf<N>, scene: Scene) => Promise<InputOf<N> | BoardError>

const VOUCH: { readonly [N in VerbName]?: Vouch<N> } = {
  create: async (input, scene) => {
    const approve = async (card: NewCard) => {
      const place = await placeOf(card.workspace, scene)
      return { ...card, ...place.set, commandsApproved: place.isWithin && (await isHarmless(card, scene)) }
    }
    return { ...input, cards: await Promise.all(input.cards.map(approve)) }
  },
  edit: async (input, scene) => {
    const place = await placeOf(input.set.workspace, scene)
    const commandsApproved = place.isWithin && (await isHarmlessChange(input, scene))
    return { ...input, set: { ...input.set, ...place.set }, commandsApproved }
  },
  assign: async (input, scene) => ({ ...input, commandsApproved: await suits(input.assignee, scene) }),
  verdict: async (input, scene) =>
    input.verdict.kind === 'request_review' ? ((await reviewFault(input.verdict, scene)) ?? input) : input,
  request_review: async (input, scene) => (await reviewFault(input, scene)) ?? input,
}

type NewCard = InputOf<'create'>['cards'][number]

async function isHarmless({ assignee = null, reviewer = null, checks = [] }: NewCard, scene: Scene): Promise<boolean> {
  const { inRun } = scene.author
  return (
    (await suits(assignee, scene, inRun)) &&
    (reviewer === null || (await suits(reviewer, scene, inRun))) &&
    (await runsNothing(checks, scene))
  )
}

async function isHarmlessChange({ task, set }: InputOf<'edit'>, scene: Scene): Promise<boolean> {
  const { body, checks, reviewer } = set
  if (body === undefined && checks === undefined && reviewer === undefined) return true
  const card = await scene.store.task(scene.board, task)
  return (
    (body === undefined || (await suits(card?.assignee ?? null, scene))) &&
    (reviewer == null || (await suits(reviewer, scene))) &&
    (checks === undefined || (await runsNothing(checks, scene, card?.checks)))
  )
}

type Named = NewCard['workspace']

/**
 * Where a card is to work. An agent that is kept to its folder must not be let into another by a card that it writes,
 * neither as it is nor as a worktree. A folder is stored by where it really is: one that leads elsewhere when the card is
 * claimed has been put in its place.
 */
async function placeOf(
  workspace: Named,
  scene: Scene,
): Promise<{ readonly isWithin: boolean; readonly set: { readonly workspace?: Named & {} } }> {
  const field = workspace?.kind === 'worktree' ? 'repo' : 'path'
  const named = workspace?.[field]
  if (workspace === undefined || named == null) return { isWithin: true, set: {} }
  const real = await realFolder(named)
  const set = real === null ? {} : { workspace: { ...workspace, [field]: real } }
  const { permissions, within } = scene.author
  if (within === null || permissions === 'full') return { isWithin: true, set }
  const { defaultDirectory } = await settingsOf(scene)
  const folders = [within.folder, defaultDirectory, field === 'repo' ? within.repo : null]
  const roots = await Promise.all(folders.filter((folder) => folder !== null).map(realFolder))
  return { isWithin: real !== null && roots.some((root) => root !== null && !leadsOut(root, real)), set }
}

/** Whether an agent does with a card what its author might do itself. */
async function suits(name: string | null, scene: Scene, ifUnknown = false): Promise<boolean> {
  const { home, author } = scene
  if (author.permissions === 'full') return true
  const runner = name ?? (await settingsOf(scene)).defaultAssignee
  if (runner === null) return true
  const agent = (await readRoster(home)).agents.get(runner)
  return agent === undefined ? ifUnknown : beyond(author.permissions, agent) === null
}

/** Whether these checks are probes, or commands that a person put on this card or approved for the whole board. */
async function runsNothing(checks: readonly string[], scene: Scene, there: readonly string[] = []): Promise<boolean> {
  if (scene.author.permissions === 'full') return true
  const commands = checks.filter((check) => parseCheck(check).kind === 'command' && !there.includes(check))
  if (commands.length === 0) return true
  const { approvedChecks } = await settingsOf(scene)
  return commands.every((check) => approvedChecks.includes(check))
}

/** Whom the board names is the person's choice; another must not do more with the work than who did it. */
async function reviewFault({ reviewer }: { reviewer?: string | null | undefined }, scene: Scene) {
  if (reviewer == null || reviewer === (await settingsOf(scene)).reviewer) return null
  if (await suits(reviewer, scene, true)) return null
  return new BoardError(
    'not_allowed',
    `${reviewer} may do more than you: a person names such a reviewer. Leave it out, and the board decides.`,
    { details: { reviewer } },
  )
}

async function settingsOf({ store, board }: Scene): Promise<BoardSettings | typeof NO_SETTINGS> {
  return (await store.board(board))?.settings ?? NO_SETTINGS
}

/** Of a board that is not there; core says so. */
const NO_SETTINGS = {
  defaultAssignee: null,
  defaultDirectory: null,
  reviewer: null,
  approvedChecks: [] as readonly string[],
}
