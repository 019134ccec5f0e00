/** Composes several verbs on one card into one decision: the store applies all of them, or none. */
import { accept } from '../decision.ts'
import type { Accepted, Change, Context, Decision, ScopeRows, Verb } from '../decision.ts'
import type { FactQueries } from '../facts.ts'
import type { TaskId } from '../ids.ts'
import type { Run } from '../run.ts'
import type { Task } from '../task.ts'
import type { TaskResult } from './guards.ts'

type StepContext = Omit<Context<unknown, FactQueries>, 'input'>
type Known = Omit<StepContext, 'facts'>

/** A verb with its input. */
export interface Step {
  readonly verb: string
  readonly facts: (known: Known) => FactQueries
  readonly decide: (context: StepContext) => Decision<TaskResult>
}

export const stepOf = <Raw, Input, Queries extends FactQueries>(
  verb: Verb<Raw, Input, Queries, TaskResult>,
  input: Input,
): Step => ({
  verb: verb.name,
  facts: (known) => verb.facts?.({ ...known, input }) ?? {},
  // The cast is safe, because `decideSteps` passes the answers to the queries of this step.
  decide: (context) => verb.decide({ ...context, input } as Context<Input, Queries>),
})

const nameOf = (step: Step, fact: string): string => `${step.verb}.${fact}`

/** The facts of all steps. Each name contains the verb, because two verbs may choose the same name. */
export const factsOfSteps = (steps: readonly Step[], known: Known): FactQueries =>
  Object.fromEntries(
    steps.flatMap((step) => Object.entries(step.facts(known)).map(([name, query]) => [nameOf(step, name), query])),
  )

/**
 * Decides the steps in order. Each step sees the card with the changes of the steps before. The facts are read once,
 * before the first step, so only the last step may depend on links, comments or earlier runs. The first refusal is the
 * result.
 */
export function decideSteps(steps: readonly Step[], task: Task, context: StepContext): Decision<TaskResult> {
  let { rows } = context
  const accepted: Accepted<TaskResult>[] = []
  for (const step of steps) {
    const facts = Object.fromEntries(
      Object.keys(step.facts({ ...context, rows })).map((name) => [name, context.facts[nameOf(step, name)]]),
    )
    // The cast is safe, because the facts of the context are the answers to `factsOfSteps`.
    const decision = step.decide({ ...context, rows, facts: facts as StepContext['facts'] })
    if (!decision.ok) return decision
    accepted.push(decision)
    rows = rowsAfter(rows, task.id, decision.changes)
  }
  const last = accepted.at(-1)
  const result = accepted.find(({ result: { pending } }) => pending)?.result ?? last?.result
  return accept(result ?? { id: task.id, status: task.status, pending: false, runId: null }, {
    changes: mergePatches(accepted.flatMap(({ changes }) => changes)),
    events: accepted.flatMap(({ events }) => events),
  })
}

/** The rows that the next step reads. */
function rowsAfter(rows: ScopeRows, id: TaskId, changes: readonly Change[]): ScopeRows {
  const [tasks, runs] = [new Map(rows.tasks), new Map(rows.runs)]
  for (const change of changes) {
    const [task, run] = [tasks.get(id), runs.get(id)]
    if (change.op === 'update_task' && task !== undefined) tasks.set(id, { ...task, ...change.patch })
    if (change.op === 'insert_run') setOpenRun(runs, change.row)
    if (change.op === 'update_run' && run !== undefined) setOpenRun(runs, { ...run, ...change.patch })
  }
  return { ...rows, tasks, runs }
}

function setOpenRun(runs: Map<TaskId, Run>, run: Run): void {
  if (run.endedAt === null) runs.set(run.taskId, run)
  else runs.delete(run.taskId)
}

/**
 * Merges all patches of the card into the last patch. The store compares the card with the row that it read, so it can
 * apply only one patch of a card.
 */
function mergePatches(changes: readonly Change[]): readonly Change[] {
  const last = changes.findLastIndex(({ op }) => op === 'update_task')
  const patches = changes.flatMap((change) => (change.op === 'update_task' ? [change.patch] : []))
  return changes.flatMap((change, at): Change[] => {
    if (change.op !== 'update_task') return [change]
    return at === last ? [{ ...change, patch: Object.assign({}, ...patches) as typeof change.patch }] : []
  })
}
