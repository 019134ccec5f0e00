import * as z from 'zod'
import { CARDS_MAX, cardInputSchema, hasDirectory, taskFrom } from '../input/card-input.ts'
import type { CardInput, NewCardContext } from '../input/card-input.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Change, Refused, ScopeRows } from '../decision.ts'
import type { Actor } from '../actor.ts'
import type { EventDraft } from '../event.ts'
import type { FactTypes } from '../facts.ts'
import type { TaskId } from '../ids.ts'
import type { Board } from '../board.ts'
import { isMentionKey } from '../mention-card.ts'
import { findCycle } from '../gates/readiness.ts'
import { cardOfRun, creationsOf, refuseOverLimits } from '../limits/run-limits.ts'
import type { Task } from '../task.ts'
import { FEWEST_ENTRIES, MOST_ENTRIES, PICKERS } from '../vocabulary.ts'
import type { Picker } from '../vocabulary.ts'
import { noTask, workspaceSweeping } from './guards.ts'

/**
 * Whether none of the cards has an idempotency key. In a batch, only the first card may have a key, because one query
 * must be enough to recognise a repeated batch.
 */
export const keyless = (cards: readonly CardInput[]): boolean => cards.every((card) => card.idempotencyKey === null)

const tournamentInput = z
  .object({ picker: z.enum(PICKERS) })
  .nullable()
  .default(null)

/** Whether the first card waits for exactly the other cards of the batch. */
function hasEntries([root, ...entries]: readonly CardInput[]): boolean {
  const ids = new Set(entries.map(({ id }) => id))
  return (
    root !== undefined &&
    entries.length >= FEWEST_ENTRIES &&
    entries.length <= MOST_ENTRIES &&
    root.parents.length === ids.size &&
    root.parents.every((id) => ids.has(id))
  )
}

const input = z
  .object({
    /** The first card is a tournament. All other cards are its entries, and it waits for them. */
    tournament: tournamentInput,
    cards: z.array(cardInputSchema).min(1, 'has no card to create').max(CARDS_MAX, `has more than ${CARDS_MAX} cards`),
  })
  .refine(({ cards }) => new Set(cards.map((card) => card.id)).size === cards.length, 'card ids must differ')
  .refine(({ cards }) => keyless(cards.slice(1)), 'only the first card of a batch may have an idempotency key')
  .refine(
    ({ tournament, cards }) => tournament === null || hasEntries(cards),
    `must be a tournament with ${FEWEST_ENTRIES} to ${MOST_ENTRIES} entries`,
  )

/** The fields that must be equal to those of the existing card with the same idempotency key. */
const COMPARED = ['title', 'body', 'assignee', 'tenant'] as const

/** The parents that must already exist, because they are not in the batch. */
export const outerParents = (cards: readonly CardInput[]): TaskId[] => {
  const inBatch = new Set(cards.map((card) => card.id))
  return [...new Set(cards.flatMap((card) => card.parents))].filter((id) => !inBatch.has(id))
}

/**
 * Creates one card, or a batch of cards that may name each other as parents. Either all cards are created or none. If
 * the first card already exists, the command was sent before and changes nothing.
 */
export const create = defineVerb({
  name: 'create',
  input,
  scope: ({ cards }, _board, actor) => ({
    parents: outerParents(cards),
    graph: cards.some((card) => card.parents.length > 0),
    board: 'read' as const,
    tasks: cardOfRun(actor),
  }),
  facts: ({ input: { cards }, actor }) => ({
    creations: creationsOf(actor),
    existing: { fact: 'cards' as const, ids: cards.map((card) => card.id) },
    byKey: { fact: 'by_key' as const, key: cards[0]?.idempotencyKey ?? null },
  }),
  decide: ({ rows, board, facts, input: { cards, tournament }, actor, now }) => {
    const first = cards[0]
    if (first === undefined) return refuse('invalid_input', 'There is no card to create.')
    const reserved = refuseReservedKey(first, actor)
    if (reserved) return reserved
    if (facts.byKey !== null) {
      const { byKey } = facts
      const differs: string[] = COMPARED.filter((key) => byKey[key] !== first[key])
      const entries = byKey.tournament?.entries ?? []
      if (entries.length !== (tournament === null ? 0 : cards.length - 1)) differs.push('bestOf')
      return accept({ ids: [byKey.id, ...entries], created: false, differs })
    }
    const resend = facts.existing.find((card) => card.id === first.id)
    if (resend !== undefined && resend.board === board.slug && resend.title === first.title)
      return accept({ ids: cards.map((card) => card.id), created: false, differs: [] as string[] })
    const refused = refuseNewCards(cards.length, { ...facts, actor, board })
    if (refused) return refused
    if (tournament !== null && actor.kind === 'worker')
      return refuse('not_allowed', 'A worker may not start a tournament: create one card, or block and ask for it.')
    const built = buildCards(cards, { rows, board, actor, now, tournament })
    if ('ok' in built) return built
    return accept({ ids: cards.map((card) => card.id), created: true, differs: [] as string[] }, built)
  },
})

/** Only people accept the offer of a mention. */
export const refuseReservedKey = ({ idempotencyKey: key }: CardInput, actor: Actor): Refused | null =>
  actor.kind === 'person' || !isMentionKey(key)
    ? null
    : refuse('not_allowed', `Idempotency key ${key} is kept for the cards of mentions: use another key.`, { key })

interface NewCards {
  readonly existing: FactTypes['cards']['answer']
  readonly creations: FactTypes['run_creations']['answer']
  readonly actor: Actor
  readonly board: Board
}

/** The reason why no card may be created with these ids, on this board or by this run. */
export function refuseNewCards(adding: number, { existing, creations, actor, board }: NewCards): Refused | null {
  const clash = existing[0]
  if (clash !== undefined)
    return refuse('id_taken', `Card id ${clash.id} is already used: choose another id.`, { id: clash.id })
  if (board.archivedAt !== null)
    return refuse('board_archived', `Board ${board.slug} is archived: unarchive it first.`, { board: board.slug })
  return refuseOverLimits(actor, creations, { adding, settings: board.settings })
}

export interface CreateContext extends Pick<NewCardContext, 'board' | 'actor' | 'now' | 'createdBy' | 'series'> {
  readonly rows: ScopeRows
  readonly decomposedFrom?: TaskId
  readonly tournament?: z.output<typeof tournamentInput>
}

/** Builds the rows, links and events of a batch of new cards. Returns a refusal if a card is not valid. */
export function buildCards(
  cards: readonly CardInput[],
  { rows, decomposedFrom, tournament = null, ...context }: CreateContext,
): { changes: Change[]; events: EventDraft[]; tasks: Task[] } | Refused {
  const missing = outerParents(cards).filter((id) => rows.parents.get(id)?.deletedAt !== null)
  if (missing[0] !== undefined)
    return {
      ...noTask(missing[0]),
      message: `There is no card ${missing.join(', ')} on this board: name parents that are on it.`,
      details: { missing },
    }
  const sweeping = [...rows.parents.values()].find((parent) => parent.workspace.state === 'sweeping')
  if (sweeping) return workspaceSweeping(sweeping.id)
  const withoutDirectory = cards.find((card) => !hasDirectory(card.workspace, context.board))
  if (withoutDirectory) return noDirectory(withoutDirectory.workspace, context.board)
  const selfReviewed = context.actor.kind === 'worker' ? cards.find(reviewsOwnWork) : undefined
  if (selfReviewed)
    return refuse(
      'not_allowed',
      `A worker may not let ${selfReviewed.assignee} review its own work: name another reviewer, or leave the reviewer out.`,
    )
  const cycle = findCycle(new Map(cards.map((card) => [card.id, card.parents])))
  if (cycle) return refuse('cycle', `These cards would wait for each other: ${cycle.join(' → ')}.`, { cycle })

  const built = new Map<TaskId, Task>()
  for (const card of parentsFirst(cards)) {
    const parents = card.parents.flatMap((id) => built.get(id) ?? rows.parents.get(id) ?? [])
    built.set(card.id, taskFrom(card, { ...context, parents: [...new Set(parents)] }))
  }
  const plain = cards.flatMap((card) => built.get(card.id) ?? [])
  const tasks = tournament === null ? plain : asTournament(plain, tournament.picker)
  return {
    tasks,
    changes: [
      ...tasks.map((row): Change => ({ op: 'insert_task', row })),
      ...cards.flatMap((card) => [...new Set(card.parents)].map((parentId) => newLink(context, parentId, card.id))),
    ],
    events: tasks.flatMap((task, at) => createdEvents(task, cards[at]?.parents ?? [], decomposedFrom)),
  }
}

const reviewsOwnWork = ({ assignee, reviewer }: CardInput): boolean => reviewer !== null && reviewer === assignee

export function noDirectory({ kind }: CardInput['workspace'], { slug }: Board): Refused {
  const what = kind === 'dir' ? 'a directory (dir:/path)' : 'a repository (worktree:/path)'
  return refuse('invalid_input', `A ${kind} workspace needs ${what}: board ${slug} has no default directory.`, {
    field: 'workspace',
    board: slug,
  })
}

function asTournament([root, ...entries]: readonly Task[], picker: Picker): Task[] {
  if (root === undefined) return []
  const tournament = { entries: entries.map(({ id }) => id), picker, judging: null, pick: null }
  return [{ ...root, tournament }, ...entries.map((entry) => ({ ...entry, entryOf: root.id }))]
}

const newLink = ({ board, now }: Pick<CreateContext, 'board' | 'now'>, parentId: TaskId, childId: TaskId): Change => ({
  op: 'insert_link',
  counted: true,
  row: { board: board.slug, parentId, childId, createdAt: now, waivedBy: null, waivedAt: null },
})

function createdEvents(task: Task, parents: readonly TaskId[], decomposedFrom: TaskId | undefined): EventDraft[] {
  const created: EventDraft = {
    kind: 'created',
    taskId: task.id,
    data: {
      status: task.status,
      assignee: task.assignee,
      parents,
      tenant: task.tenant,
      ...(decomposedFrom === undefined ? {} : { decomposedFrom }),
      ...(task.series === null ? {} : { series: task.series }),
      ...(task.tournament === null ? {} : { entries: task.tournament.entries, picker: task.tournament.picker }),
      ...(task.entryOf === null ? {} : { entryOf: task.entryOf }),
    },
  }
  if (task.status !== 'blocked') return [created]
  const reason = task.blockReason ?? ''
  return [
    created,
    { kind: 'blocked', taskId: task.id, data: { kind: 'needs_input', reason, from: 'blocked', recurrences: 1 } },
  ]
}

/** Sorts the cards so that each parent comes before its children. The batch has no cycle. */
function parentsFirst(cards: readonly CardInput[]): CardInput[] {
  const byId = new Map(cards.map((card) => [card.id, card]))
  const ordered = new Set<CardInput>()
  for (const start of cards) {
    const stack = [start]
    while (stack.length > 0) {
      const card = stack.at(-1)
      if (card === undefined) break
      const waiting = card.parents.flatMap((id) => byId.get(id) ?? []).filter((parent) => !ordered.has(parent))
      if (waiting.length > 0) stack.push(...waiting)
      else {
        ordered.add(card)
        stack.pop()
      }
    }
  }
  return [...ordered]
}
