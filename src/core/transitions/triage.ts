/** Moves cards out of triage, by specifying one card or by splitting it into several. */
import * as z from 'zod'
import { cardInputSchema } from '../input/card-input.ts'
import type { CardInput } from '../input/card-input.ts'
import { approvalAfter } from '../gates/command-approval.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Change, Refused, ScopeRows } from '../decision.ts'
import { PLANNER_ACTOR } from '../actor.ts'
import type { Actor } from '../actor.ts'
import type { Board } from '../board.ts'
import { isNewIdea } from '../planning.ts'
import { VALUES, body, title } from '../input/card-values.ts'
import { inheritedWorkspace } from '../input/inherited-workspace.ts'
import { planData, planShape } from '../input/plan-input.ts'
import { name, taskId } from '../input/fields.ts'
import type { TaskId } from '../ids.ts'
import { liftBlock } from '../moves.ts'
import { readyOrTodo } from '../gates/readiness.ts'
import { accepts } from '../status.ts'
import type { Task, TaskPatch } from '../task.ts'
import { isTournament } from '../tournament/tournament.ts'
import { cardOfRun, creationsOf, refuseOverLimits } from '../limits/run-limits.ts'
import { buildCards, keyless, outerParents } from './create.ts'
import { findTask, taskIfMayCloseBreaker, isRefused, taskResult, wrongStatus } from './guards.ts'

export const specify = defineVerb({
  name: 'specify',
  input: z.object({
    ...planShape,
    title: title.optional(),
    body: body.optional(),
    assignee: name.optional(),
    checks: VALUES.lines.optional(),
    held: z.boolean().optional(),
    commandsApproved: z.boolean().optional(),
  }),
  scope: ({ task }) => ({ tasks: [task], board: 'read' as const }),
  decide: ({ rows, board, input, actor }) => {
    const task = taskIfMayPlan(rows, input.task, { actor, board })
    if (isRefused(task)) return task
    if (!accepts(task.status, 'specify')) return wrongStatus(task, 'specify', 'in triage')
    const status = readyOrTodo(task)
    const patch: TaskPatch = { ...liftBlock(task), recentBlocks: [], status }
    const fields = (['title', 'body', 'assignee', 'checks', 'held'] as const).filter((key) => {
      const value = input[key]
      if (value === undefined || isEqual(value, task[key])) return false
      Object.assign(patch, { [key]: value })
      return true
    })
    const approval = approvalAfter(actor, fields, input.commandsApproved)
    return accept(taskResult(task, status), {
      changes: [{ op: 'update_task', id: task.id, patch: { ...patch, ...approval } }],
      events: [{ kind: 'specified', taskId: task.id, data: { fields, ...planData(input.plan) } }],
    })
  },
})

const CHILDREN_MAX = 12

/**
 * Splits a card into several children and makes the card wait for all of them. Children without a sibling as parent get
 * the parents of the card, so that no child starts before those parents finish.
 */
export const decompose = defineVerb({
  name: 'decompose',
  input: z.object({
    ...planShape,
    assignee: name.nullable().default(null),
    cards: z
      .array(cardInputSchema)
      .min(1)
      .max(CHILDREN_MAX)
      .refine((cards) => new Set(cards.map((card) => card.id)).size === cards.length, 'must have different ids')
      .refine(keyless, 'of a decomposition take no idempotency keys'),
    rootParents: z.array(taskId).default([]),
  }),
  scope: ({ task, cards, rootParents }, _board, actor) => ({
    graph: true,
    board: 'read',
    tasks: [...new Set([task, ...cardOfRun(actor)])],
    parents: [...new Set([...outerParents(cards), ...rootParents])].filter((id) => id !== task),
  }),
  facts: ({ input: { task, cards }, actor }) => ({
    creations: creationsOf(actor),
    openParents: { fact: 'open_parents' as const, child: task },
    existing: { fact: 'cards' as const, ids: cards.map((card) => card.id) },
  }),
  decide: ({ rows, board, facts, input, actor, now }) => {
    const root = taskIfMayPlan(rows, input.task, { actor, board })
    if (isRefused(root)) return root
    if (!accepts(root.status, 'decompose')) return wrongStatus(root, 'decompose', 'in triage')
    if (root.decomposedAt !== null) return alreadyDecomposed(root.id)
    if (isTournament(root))
      return refuse(
        'not_allowed',
        `Card ${root.id} is a tournament: its entries do its work. Run muster specify ${root.id}`,
        {
          id: root.id,
        },
      )
    const fault = misplaced(root, input.cards, { ...facts, known: rows.parents })
    if (fault) return fault
    const overLimit = refuseOverLimits(actor, facts.creations, { adding: input.cards.length, settings: board.settings })
    if (overLimit) return overLimit
    const cards = withInherited(root, input.cards, facts.openParents)
    const built = buildCards(cards, { rows, board, actor, now, decomposedFrom: root.id })
    if ('ok' in built) return built
    const assignee = input.assignee ?? root.assignee
    const approval = approvalAfter(actor, assignee === root.assignee ? [] : ['assignee'], undefined)
    const children = cards.map((card) => card.id)
    return accept(taskResult(root, 'todo'), {
      changes: [
        ...built.changes,
        { op: 'update_task', id: root.id, patch: { ...splitPatch(root, now), assignee, ...approval } },
        ...children.map((child) => waitFor(child, root, now)),
      ],
      events: [
        ...built.events,
        { kind: 'decomposed', taskId: root.id, data: { children, assignee, ...planData(input.plan) } },
      ],
    })
  },
})

/**
 * Returns the card, or a refusal if the actor may not plan it. A person allows the planner of the board to plan cards
 * with the setting `autoDecompose`. A card that the board moved to triage waits for a person.
 */
function taskIfMayPlan(
  rows: ScopeRows,
  id: TaskId,
  { actor, board }: { readonly actor: Actor; readonly board: Board },
): Task | Refused {
  if (actor.kind !== 'board' || actor.name !== PLANNER_ACTOR.name) return taskIfMayCloseBreaker(rows, id, actor)
  const task = findTask(rows, id)
  if (isRefused(task)) return task
  if (board.settings.autoDecompose && isNewIdea(task)) return task
  return refuse('not_allowed', `Card ${id} must be planned by a person: run muster decompose ${id}`, { id })
}

const alreadyDecomposed = (id: TaskId): Refused =>
  refuse('already_decomposed', `Card ${id} was split before, so it cannot be split again. Run muster specify ${id}`, {
    id,
  })

/** The text that the agent of a split card reads, because the card's own text still describes the whole work. */
const SPLIT_NOTE = `This card was split: the cards that it waited for have done the work. Compare their results with the text above. If something is missing, create a card for it or ask. If nothing is missing, complete this card with a summary.`

const splitPatch = (root: Task, now: number): TaskPatch => ({
  ...liftBlock(root),
  status: 'todo',
  decomposedAt: now,
  body: [root.body?.trimEnd(), SPLIT_NOTE].filter(Boolean).join('\n\n'),
})

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The reason why the children cannot be created. Null means that they can be created. */
function misplaced(
  root: Task,
  cards: readonly CardInput[],
  {
    existing,
    openParents,
    known,
  }: { existing: readonly Pick<Task, 'id'>[]; openParents: readonly TaskId[]; known: ScopeRows['parents'] },
): Refused | null {
  if (existing[0])
    return refuse('id_taken', `Card id ${existing[0].id} is already used: choose another id.`, { id: existing[0].id })
  const unforeseen = openParents.filter((id) => !known.has(id))
  if (unforeseen.length > 0)
    return refuse('store_busy', `Card ${root.id} got new parents meanwhile: try again.`, {
      id: root.id,
      parents: unforeseen,
    })
  // Each child may wait only for its siblings and for parents of the split card. Any other card might wait for the
  // split card itself, so the links would form a cycle.
  const allowed = new Set([...cards.map((card) => card.id), ...openParents])
  const foreign = cards.flatMap((card) => card.parents).filter((id) => !allowed.has(id))
  if (foreign.length === 0) return null
  return refuse(
    'cycle',
    `Children of ${root.id} may wait only for each other or for the parents of ${root.id}, not for ${foreign.join(', ')}: link them afterwards.`,
    { id: root.id, parents: foreign },
  )
}

/** The children, with the fields that they inherit from the split card. */
function withInherited(root: Task, cards: readonly CardInput[], openParents: readonly TaskId[]): CardInput[] {
  const siblings = new Set(cards.map((card) => card.id))
  return cards.map((card) => ({
    ...card,
    tenant: card.tenant ?? root.tenant,
    session: card.session ?? root.session,
    priority: card.priority === 0 ? root.priority : card.priority,
    labels: [...new Set([...root.labels, ...card.labels])],
    workspace: isOwn(card.workspace) ? card.workspace : inheritedWorkspace(root.workspace),
    parents: card.parents.some((id) => siblings.has(id))
      ? card.parents
      : [...new Set([...card.parents, ...openParents])],
  }))
}

const waitFor = (child: TaskId, root: Task, now: number): Change => ({
  op: 'insert_link',
  counted: false,
  row: { board: root.board, parentId: child, childId: root.id, createdAt: now, waivedBy: null, waivedAt: null },
})

/** Whether the plan chose the workspace. A scratch workspace without a path is the default. */
const isOwn = ({ kind, path, repo }: CardInput['workspace']): boolean =>
  kind !== 'scratch' || path !== null || repo !== null
