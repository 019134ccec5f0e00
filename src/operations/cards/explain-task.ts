import { localZone } from '../../config/local-zone.ts'
import type { Board } from '../../core/board.ts'
import { BoardError } from '../../core/errors.ts'
import { obstacle } from '../../core/reasons/reason.ts'
import type { AgentRole, Obstacle, Reason, ReasonParams } from '../../core/reasons/reason.ts'
import type { Run } from '../../core/run.ts'
import { whyNotRunning } from '../../core/reasons/why.ts'
import { machineOfFiles } from '../../core/gates/workspace-gates.ts'
import { findDamage } from '../../storage/damage.ts'
import { parseLocation } from '../../storage/location.ts'
import type { Store, TaskView } from '../../storage/store.ts'
import type { Host } from '../../processes/identity.ts'
import { Preflight } from '../../agents/preflight.ts'
import { readRoster } from '../../agents/roster.ts'
import type { LocalAgent, Roster } from '../../agents/roster.ts'
import { findFallback, fitsCard } from '../../agents/fallback.ts'
import type { FallbackRunner, FallbackState } from '../../agents/fallback.ts'
import { agentTrust, toApprove } from '../../agents/to-approve.ts'
import { BranchChecker } from '../../workspaces/git/branch-in-use.ts'
import { realDirectory } from '../../workspaces/directory.ts'
import { dispatcherOf, findDispatchers } from '../machine/dispatcher-state.ts'
import type { DispatcherState } from '../machine/dispatcher-state.ts'
import { hasLostSupervisor, machineTrouble } from '../machine/machine-trouble.ts'
import { hostIfSupported } from '../../processes/identity.ts'
import { nextRunner } from './next-runner.ts'
import type { NextRunner } from './next-runner.ts'
import { defineOperation } from '../shared/operation.ts'
import type { BoardContext, OutputOf, SchemaKit } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

const schemas = ({ z, reasonView, taskView }: SchemaKit) => ({
  input: z.object({ task: z.string().describe('The id of a card, or the beginning of one') }),
  output: z.object({ task: taskView, reasons: z.array(reasonView).min(1).readonly() }),
})

export type Explanation = OutputOf<typeof schemas>

export const explainTask = defineOperation({
  name: 'why',
  kind: 'query',
  actor: 'worker',
  scope: 'card',
  summary: 'Show why a card is not running, and what to do about each reason.',
  schemas,
  run: async (context, { task: typed }) => {
    const { store } = context
    const { board: slug, id } = await resolveTask(store, typed, { deleted: true })
    const [task, board] = await Promise.all([store.task(slug, id, { deleted: true }), store.board(slug)])
    if (task === null || board === null)
      throw new BoardError('task_not_found', `There is no card ${id}.`, { details: { id } })
    return { task, reasons: await reasonsFor(context, task, board) }
  },
})

async function reasonsFor(context: BoardContext, task: TaskView, board: Board): Promise<readonly Reason[]> {
  const { store, options } = context
  const host = hostIfSupported()
  const machine = host?.machine.id ?? null
  const runner = await nextRunner(store, task, board)
  const { name, role, reviewerIsAuthor } = runner
  const roster = await readRoster(options.home)
  const named = name === null ? null : (roster.agents.get(name) ?? null)
  const now = await store.now()
  const zone = localZone(now)
  const fallback = named === null ? null : await fallbackFor(store, { task, agent: named, role, roster }, { zone, now })
  const agent = fallback?.agent ?? named
  const place = { machine, agent: agent?.name ?? name, account: agent?.account ?? null }
  const [facts, dispatchers] = await Promise.all([
    store.admissionFacts(await withRealPath(task), place),
    findDispatchers(store, host),
  ])
  const dispatcher = dispatcherOf(dispatchers, machineNeeded(task, facts.run, host), host)
  const entries = task.tournament === null ? undefined : await store.tasksById(task.tournament.entries)
  return whyNotRunning({
    ...facts,
    ...(entries === undefined ? {} : { entries }),
    machine,
    reviewerIsAuthor,
    // An unassigned card gets the default assignee of the board before it starts.
    task: role === 'default_assignee' ? { ...task, assignee: name } : task,
    board,
    now,
    approvalCause:
      agent === null ? null : await toApprove(store, task, await agentTrust(store, { task, agent, roster })),
    localHours: { zone, agent: agent === null ? null : { name: agent.name, hours: agent.activeHours } },
    caps: { machine: options.machineCap, agent: agent?.maxConcurrent ?? null, account: null },
    fallback: fallback === null ? null : fallbackUsed(fallback),
    localObstacles: await obstaclesHere(context, { task, runner, roster, facts, dispatcher, host, now }),
    hold: task.held ? await lastHold(store, task) : null,
    isDispatched: dispatcher.is === 'active',
  })
}

interface NamedAgent {
  readonly task: TaskView
  readonly agent: LocalAgent
  readonly role: AgentRole
  readonly roster: Roster
}

/** The fallback that the dispatcher would choose for the card. Null means that the card's own agent would run it. */
async function fallbackFor(
  store: Store,
  { task, agent, role, roster }: NamedAgent,
  at: Pick<FallbackState, 'zone' | 'now'>,
): Promise<FallbackRunner | null> {
  if (agent.fallback === null) return null
  const [accounts, slots] = await Promise.all([store.accounts(), store.slots()])
  const found = findFallback({ agent, role, roster }, { ...at, accounts, slots })
  if (found === null) return null
  const hasWorked = (await store.workedOn(task.board, found.agent.name, [task.id])).length > 0
  return fitsCard(found, task, { phase: role === 'reviewer' ? 'review' : 'work', hasWorked }) ? found : null
}

const fallbackUsed = ({ agent, insteadOf, pause: { params, until } }: FallbackRunner) =>
  obstacle(
    'fallback_used',
    { agent: insteadOf.name, fallback: agent.name, account: params.account, cause: params.cause },
    until,
  )

interface ObstacleInput {
  readonly task: TaskView
  readonly runner: NextRunner
  readonly roster: Roster
  readonly facts: Awaited<ReturnType<Store['admissionFacts']>>
  readonly dispatcher: DispatcherState
  readonly host: Host | null
  readonly now: number
}

/** The obstacles that only this machine can see: agents, folders, processes and the disk. */
async function obstaclesHere(
  { store, options: { home, store: location } }: BoardContext,
  { task, runner: { name, role }, roster, facts, dispatcher, host, now }: ObstacleInput,
): Promise<readonly Obstacle[]> {
  return [
    ...(name === null ? [] : await new Preflight(home).obstacles(task, { name, role }, roster)),
    ...(await new BranchChecker(home).obstacles(task, facts.branchHolders)),
    ...lostSupervisor(facts.run, { store, host, home, now }),
    ...(await machineTrouble(home, dispatcher)),
    ...(await damagedStore(location)),
  ]
}

/**
 * The only machine that can start the card, or that can end its run if the supervisor died. Null means that any machine
 * can do so.
 */
function machineNeeded({ workspace }: TaskView, run: Run | null, host: Host | null): string | null {
  if (run === null) return machineOfFiles(workspace)
  return run.machine === host?.machine.id ? run.machine : null
}

const lostSupervisor = (run: Run | null, look: Parameters<typeof hasLostSupervisor>[1]): readonly Obstacle[] =>
  run !== null && hasLostSupervisor(run, look) ? [obstacle('supervisor_lost', { run: run.id })] : []

/** The last event `held` or `stopped` of the card, because the commands `hold` and `stop` both put a card on hold. */
async function lastHold(store: Store, { board, id }: TaskView): Promise<ReasonParams['held'] | null> {
  const events = await store.taskEvents(board, id)
  const last = events.findLast(({ kind }) => kind === 'held' || kind === 'stopped')
  if (last === undefined) return null
  const { reason } = last.data
  const by = last.kind === 'stopped' ? last.data['by'] : last.actor
  return { reason: typeof reason === 'string' ? reason : null, by: typeof by === 'string' ? by : null }
}

async function damagedStore(location: string): Promise<readonly Obstacle[]> {
  const found = await findDamage(parseLocation(location))
  return found === null ? [] : [obstacle('store_damaged', found)]
}

/** Replaces the directory of the card by its real path, so that two paths of one directory count as one. */
async function withRealPath(task: TaskView): Promise<TaskView> {
  const { workspace } = task
  return { ...task, workspace: { ...workspace, path: (await realDirectory(workspace)) ?? workspace.path } }
}
