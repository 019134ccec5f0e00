/** Asks the planner model for a plan. Nothing is written. */
import { readRoster } from '../../agents/roster.ts'
import type { Roster } from '../../agents/roster.ts'
import type { Environment } from '../../config/environment.ts'
import { ownEnvironment } from '../../config/environment.ts'
import { BoardError } from '../../core/errors.ts'
import type { Task } from '../../core/task.ts'
import { isInTriage } from '../../core/status.ts'
import type { Store } from '../../storage/store.ts'
import { openModel } from '../models/model.ts'
import type { ModelAnswer, ModelUsage } from '../models/model.ts'
import { modelError } from '../models/model-error.ts'
import { DECOMPOSE_INSTRUCTIONS, SPECIFY_INSTRUCTIONS, planInput } from './instructions.ts'
import { modelSpecificationSchema, modelSplitSchema, withKnownEdges } from './model-plan.ts'
import type { ModelSpecification, ModelSplit } from './model-plan.ts'
import type { Plan, SpecifyPlan, SplitPlan } from './plan.ts'

export interface PlanRequest {
  readonly store: Pick<Store, 'board'>
  readonly task: Task
  readonly home: string
  readonly env?: Environment
  readonly signal: AbortSignal
}

export async function makeSpecification(request: PlanRequest): Promise<SpecifyPlan> {
  const context = await contextOf(request)
  const model = openModel('planner', context)
  const question = { instructions: SPECIFY_INSTRUCTIONS, input: context.input, schema: modelSpecificationSchema }
  const { value, usage } = answered(await model.ask({ ...question, signal: request.signal }))
  return specification(value, usage, context)
}

/**
 * Splits the card. If the model finds that the card is one unit of work, the plan specifies the card itself instead.
 */
export async function makeSplit(request: PlanRequest): Promise<Plan> {
  const { task } = request
  if (task.decomposedAt !== null)
    throw new BoardError(
      'already_decomposed',
      `Card ${task.id} was split before, so it cannot be split again. Run muster specify ${task.id}`,
      { details: { id: task.id } },
    )
  const context = await contextOf(request)
  const model = openModel('planner', context)
  const question = { instructions: DECOMPOSE_INSTRUCTIONS, input: context.input, schema: modelSplitSchema }
  const { value, usage } = answered(await model.ask({ ...question, signal: request.signal }))
  const [only, second] = value.cards
  if (value.split && second !== undefined) return split(value, usage, context)
  const single = value.split && only !== undefined ? only : value
  const { title, body, assignee, checks } = single
  return specification(
    { rationale: value.rationale, title: title ?? task.title, body: body ?? '', assignee, checks },
    usage,
    context,
  )
}

interface PlanContext {
  readonly task: Task
  readonly home: string
  readonly env: Environment
  readonly input: string
  readonly roster: Roster
  readonly defaultAssignee: string | null
}

async function contextOf({ store, task, home, env = ownEnvironment() }: PlanRequest): Promise<PlanContext> {
  if (!isInTriage(task.status))
    throw new BoardError('wrong_status', `Card ${task.id} is ${task.status}; only cards in triage are planned.`, {
      details: { id: task.id, status: task.status },
    })
  const roster = await readRoster(home, env)
  const board = await store.board(task.board)
  return {
    task,
    home,
    env,
    roster,
    input: planInput(task, roster.agents.values()),
    defaultAssignee: board?.settings.defaultAssignee ?? null,
  }
}

function answered<T>(answer: ModelAnswer<T>): { readonly value: T; readonly usage: ModelUsage } {
  if (answer.ok) return answer
  throw modelError(answer)
}

function split({ rationale, cards: given }: ModelSplit, usage: ModelUsage, context: PlanContext): SplitPlan {
  const { cards, dropped } = withKnownEdges(given)
  const placed = cards.map((card) => ({ card, ...knownAgent(card.assignee, context) }))
  return {
    task: context.task.id,
    kind: 'decompose',
    rationale,
    usage,
    dropped: [...dropped],
    reassigned: placed.flatMap(({ card, assignee, wanted }) =>
      wanted === null ? [] : [{ card: card.key, wanted, assignee }],
    ),
    cards: placed.map(({ card, assignee }) => ({ ...card, assignee })),
  }
}

function specification(
  { rationale, title, body, assignee: given, checks }: ModelSpecification,
  usage: ModelUsage,
  context: PlanContext,
): SpecifyPlan {
  const { task } = context
  const { assignee, wanted } =
    task.assignee === null ? knownAgent(given, context) : { assignee: task.assignee, wanted: null }
  const reassigned = wanted === null ? [] : [{ card: task.id, wanted, assignee }]
  return { task: task.id, kind: 'specify', rationale, usage, dropped: [], reassigned, title, body, assignee, checks }
}

/** Returns the agent that the plan names, or the default agent of the board if that agent is unknown. */
function knownAgent(
  given: string | null,
  { roster, defaultAssignee }: PlanContext,
): { readonly assignee: string | null; readonly wanted: string | null } {
  if (given === null || roster.agents.has(given)) return { assignee: given, wanted: null }
  return { assignee: defaultAssignee, wanted: given }
}
