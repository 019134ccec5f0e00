/** Moves cards out of triage, by specifying one card or by splitting it into several. */
import * as z from 'zod'
import { cardInputSchema } from '../input/card-input.ts'
import type { CardInput } from '../input/card-input.ts'
import { approvalAfter } from '../gates/command-approval.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Change, Refused, ScopeRows } from '../decision.ts'
import { body, title } from '../input/card-values.ts'
import { name, taskId } from '../input/fields.ts'
import type { TaskId } from '../ids.ts'
import { liftBlock } from '../moves.ts'
import { readyOrTodo } from '../gates/readiness.ts'
import { accepts } from '../status.ts'
import type { Task, TaskPatch } from '../task.ts'
import { cardOfRun, creationsOf, refuseOverLimits } from '../limits/run-limits.ts'
import { buildCards, keyless, outerParents } from './create.ts'
import { taskIfMayCloseBreaker, isRefused, taskResult, wrongStatus } from './guards.ts'

export const specify = defineVerb({
  name: 'specify',
  input: z.object({
    task: taskId,
    title: title.optional(),
    body: body.optional(),
    assignee: name.optional(),
    commandsApproved: z.boolean().optional(),
  }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input, actor }) => {
    const task = taskIfMayCloseBreaker(rows, input.task, actor)
    if (isRefused(task)) return task
    if (!accepts(task.status, 'specify')) return wrongStatus(task, 'specify', 'in triage')
    const status = readyOrTodo(task)
    const patch: TaskPatch = { ...liftBlock(task), recentBlocks: [], status }
    const fields = (['title', 'body', 'assignee'] as const).filter((key) => {
      const value = input[key]
      if (value === undefined || value === task[key]) return false
      Object.assign(patch, { [key]: value })
      return true
    })
    const approval = approvalAfter(actor, fields, input.commandsApproved)
    return accept(taskResult(task, status), {
      changes: [{ op: 'update_task', id: task.id, patch: { ...patch, ...approval } }],
      events: [{ kind: 'specified', taskId: task.id, data: { fields } }],
    })
  },
})

const CHILDREN_MAX = 12

/**
 * Splits a card, the root, into several children. The root then waits for all of them. Children that wait for no
 * sibling inherit the root's parents, so that no child starts before those parents finish.
 */
export const decompose = defineVerb({
  name: 'decompose',
  input: z.object({
    task: taskId,
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
    const root = taskIfMayCloseBreaker(rows, input.task, actor)
    if (isRefused(root)) return root
    if (!accepts(root.status, 'decompose')) return wrongStatus(root, 'decompose', 'in triage')
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
        { op: 'update_task', id: root.id, patch: { ...liftBlock(root), status: 'todo', assignee, ...approval } },
        ...children.map((child) => waitFor(child, root, now)),
      ],
      events: [...built.events, { kind: 'decomposed', taskId: root.id, data: { children, assignee } }],
    })
  },
})

/** Why the children cannot be created; null if they can. */
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
    return refuse('id_taken', `Card id ${existing[0].id} is taken: choose another.`, { id: existing[0].id })
  const unforeseen = openParents.filter((id) => !known.has(id))
  if (unforeseen.length > 0)
    return refuse('store_busy', `Card ${root.id} got new parents meanwhile: try again.`, {
      id: root.id,
      parents: unforeseen,
    })
  // Each child may wait only for its siblings and for parents of the root. Any other card might itself wait for the
  // root, which would be a cycle.
  const allowed = new Set([...cards.map((card) => card.id), ...openParents])
  const foreign = cards.flatMap((card) => card.parents).filter((id) => !allowed.has(id))
  if (foreign.length === 0) return null
  return refuse(
    'cycle',
    `Children of ${root.id} may wait only for each other or for the parents of ${root.id}, not for ${foreign.join(', ')}: link them afterwards.`,
    { id: root.id, parents: foreign },
  )
}

/** The children with the fields that they inherit from the root. */
function withInherited(root: Task, cards: readonly CardInput[], openParents: readonly TaskId[]): CardInput[] {
  const siblings = new Set(cards.map((card) => card.id))
  return cards.map((card) => ({
    ...card,
    tenant: card.tenant ?? root.tenant,
    session: card.session ?? root.session,
    workspace: inheritedWorkspace(card.workspace, root.workspace),
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

type AskedWorkspace = z.infer<typeof cardInputSchema>['workspace']

/**
 * The workspace that a child inherits. A `dir` child shares the root's directory; a worktree child shares only the
 * repository, never the path.
 */
function inheritedWorkspace(
  own: AskedWorkspace,
  root: { kind: string; path: string | null; repo: string | null },
): AskedWorkspace {
  if (own.kind !== 'scratch' || own.path !== null || own.repo !== null) return own
  if (root.kind === 'dir') return { kind: 'dir', path: root.path, repo: null }
  if (root.kind === 'worktree') return { kind: 'worktree', path: null, repo: root.repo }
  return own
}
