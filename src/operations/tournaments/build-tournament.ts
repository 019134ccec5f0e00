/** Builds the cards of a tournament: the root, which waits for the entries, and an entry for each agent. */
import { BoardError } from '../../core/errors.ts'
import type { CardInput } from '../../core/input/card-input.ts'
import type { TaskId } from '../../core/ids.ts'
import { trimmedTo } from '../../core/text.ts'
import { newTaskId } from '../../util/mint.ts'
import type { Picker } from '../../core/vocabulary.ts'

export interface TournamentAsked {
  readonly bestOf: number | null
  readonly agents: readonly string[]
  readonly pick: Picker | null
}

type Card = Omit<CardInput, 'id' | 'commandsApproved'>

const TITLE_MAX = 460

/** Refuses fields that would make the entries share a folder or a session, or that entries cannot have. */
export function requireTournament(card: Card, { bestOf, agents }: TournamentAsked): void {
  if (bestOf === null) throw fault('bestOf', '--agents and --pick need --best-of with the number of entries.')
  if (agents.length === 0) throw fault('agents', '--best-of needs --agents with the agents that compete.')
  if (agents.length > bestOf)
    throw fault('agents', `--agents names ${agents.length} agents, but --best-of allows only ${bestOf} entries.`)
  if (card.assignee !== null) throw fault('assignee', 'Leave out --assignee: --agents names the agents of --best-of.')
  if (card.workspace.kind === 'dir')
    throw fault('workspace', 'The entries of --best-of would share a directory: use --workspace scratch or worktree.')
  if (card.branch !== null) throw fault('branch', 'The entries of --best-of would share a branch: leave out --branch.')
  if (card.goal !== null) throw fault('goal', 'A card with --best-of cannot have a goal: leave out --goal.')
  if (card.triage || card.blocked)
    throw fault('triage', 'The entries of --best-of start at once: leave out --triage and --initial-status.')
}

const fault = (field: string, message: string): BoardError =>
  new BoardError('invalid_input', message, { details: { field } })

/** The root comes first. Cards with the same creation time are listed by id, so the ids are sorted. */
export function tournamentCards(card: Card, { bestOf, agents }: TournamentAsked): readonly CardInput[] {
  const [rootId, ...ids] = Array.from({ length: (bestOf ?? 0) + 1 }, () => newTaskId()).toSorted()
  if (rootId === undefined) return []
  const entries = ids.map((id, at) => entryCard(card, { id, at, agents }))
  return [rootCard(card, rootId, ids), ...entries]
}

/** The root never runs, so the fields for runs belong to the entries. The reviewer reviews the winner. */
const rootCard = (card: Card, id: TaskId, parents: TaskId[]): CardInput => ({
  ...card,
  id,
  parents,
  assignee: null,
  checks: [],
  skills: null,
  scheduledAt: null,
  held: false,
})

interface Place {
  readonly id: TaskId
  readonly at: number
  readonly agents: readonly string[]
}

function entryCard(card: Card, { id, at, agents }: Place): CardInput {
  const assignee = agents[at % agents.length] ?? null
  const round = Math.floor(at / agents.length)
  const name = `${assignee}${round === 0 ? '' : ` ${round + 1}`}`
  const title = `${trimmedTo(card.title, TITLE_MAX - name.length)} (${name})`
  return { ...card, id, title, assignee, reviewer: null, idempotencyKey: null }
}
