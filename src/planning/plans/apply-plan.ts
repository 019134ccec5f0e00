/** Writes a whole plan in one transaction, or nothing. */
import { readRoster } from '../../agents/roster.ts'
import type { Roster } from '../../agents/roster.ts'
import type { Actor } from '../../core/actor.ts'
import { unwrap } from '../../core/command.ts'
import { BoardError } from '../../core/errors.ts'
import type { TaskId } from '../../core/ids.ts'
import type { PlanNote } from '../../core/input/plan-input.ts'
import type { Task } from '../../core/task.ts'
import { harnessOf } from '../../harnesses/index.ts'
import type { Store } from '../../storage/store.ts'
import { newTaskId } from '../../util/mint.ts'
import type { Plan, PlannedCard, SpecifyPlan, SplitPlan } from './plan.ts'

export interface Application {
  readonly store: Pick<Store, 'board' | 'decide' | 'openParents'>
  readonly task: Pick<Task, 'id' | 'board'>
  readonly actor: Actor
  readonly home: string
  /** Whether the planned cards are put on hold until a person releases them. */
  readonly hold?: boolean
}

/** Returns the ids of the new cards in the order of the plan. If the card has left triage, the plan is refused. */
export async function applyPlan(plan: Plan, application: Application): Promise<readonly TaskId[]> {
  const { store, task, home } = application
  if (plan.task !== task.id)
    throw new BoardError('invalid_input', `The plan is for card ${plan.task}, not for ${task.id}.`, {
      details: { field: 'plan', id: task.id },
    })
  const approval = await approvalRule(store, { board: task.board, home })
  if (plan.kind === 'decompose') return splitCard(plan, application, approval)
  await specifyCard(plan, application, approval)
  return []
}

type ApprovalRule = (card: Pick<PlannedCard, 'assignee' | 'checks'>) => { readonly commandsApproved?: false }

/**
 * A model wrote the commands, so they need approval even if a person applies the plan. The body counts as a command if
 * the agent of the card runs it as a script.
 */
async function approvalRule(
  store: Pick<Store, 'board'>,
  { board, home }: { readonly board: string; readonly home: string },
): Promise<ApprovalRule> {
  const roster = await readRoster(home)
  const fallback = (await store.board(board))?.settings.defaultAssignee ?? null
  return ({ assignee, checks }) =>
    checks.length > 0 || runsScripts(assignee ?? fallback, roster) ? { commandsApproved: false } : {}
}

function runsScripts(assignee: string | null, { agents }: Roster): boolean {
  const agent = assignee === null ? undefined : agents.get(assignee)
  return agent !== undefined && harnessOf(agent).runsTheCard
}

const noteOf = ({ rationale, usage, dropped, reassigned }: Plan): PlanNote => ({
  rationale,
  usage,
  dropped,
  reassigned,
})

async function specifyCard(
  plan: SpecifyPlan,
  { store, task, actor, hold = false }: Application,
  approval: ApprovalRule,
) {
  const { title, body, assignee, checks } = plan
  const input = {
    task: task.id,
    plan: noteOf(plan),
    title,
    ...(body === null ? {} : { body }),
    ...(assignee === null ? {} : { assignee }),
    ...(checks.length === 0 ? {} : { checks }),
    ...(hold ? { held: true } : {}),
    ...approval(plan),
  }
  unwrap(await store.decide({ verb: 'specify', board: task.board, actor, input }))
}

async function splitCard(
  plan: SplitPlan,
  { store, task, actor, hold = false }: Application,
  approval: ApprovalRule,
): Promise<readonly TaskId[]> {
  // Muster lists cards with the same creation time by id, so sorted ids keep the order of the plan.
  const ids = plan.cards.map(() => newTaskId()).toSorted()
  const idOf = new Map(plan.cards.flatMap(({ key }, at) => (ids[at] === undefined ? [] : [[key, ids[at]] as const])))
  const cards = plan.cards.flatMap((card) => {
    const { key, title, body, assignee, checks, after } = card
    const id = idOf.get(key)
    const parents = after.flatMap((other) => idOf.get(other) ?? [])
    return id === undefined
      ? []
      : [{ id, title, body: body === '' ? null : body, assignee, checks, parents, held: hold, ...approval(card) }]
  })
  const rootParents = [...(await store.openParents(task.board, task.id))]
  const input = { task: task.id, plan: noteOf(plan), cards, rootParents }
  unwrap(await store.decide({ verb: 'decompose', board: task.board, actor, input }))
  return ids
}
