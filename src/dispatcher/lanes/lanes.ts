/**
 * Finds the cards that may start now, and the reasons why other cards cannot start. A lane is a queue of cards on one
 * board for one agent.
 */
import { localZone } from '../../config/local-zone.ts'
import type { LocalZone } from '../../core/gates/active-hours.ts'
import { hoursObstacles } from '../../core/gates/hours-gate.ts'
import { obstacle } from '../../core/reasons/reason.ts'
import type { Obstacle, Reason } from '../../core/reasons/reason.ts'
import { withRemedies } from '../../core/reasons/remedies.ts'
import type { Board } from '../../core/board.ts'
import type { Task } from '../../core/task.ts'
import { verificationObstacles } from '../../core/gates/verification.ts'
import { isSynthesizer } from '../../core/swarm.ts'
import { pinnedBranch, locationObstacles } from '../../core/gates/workspace-gates.ts'
import type { Lane, LanePlace } from '../../storage/store.ts'
import { trustedBy } from '../../agents/permissions.ts'
import { Preflight } from '../../agents/preflight.ts'
import { readRoster } from '../../agents/roster.ts'
import type { Roster } from '../../agents/roster.ts'
import { findRunner, isUnknown, roleIn } from '../../agents/runner.ts'
import type { AgentFault, Runner } from '../../agents/runner.ts'
import { findFallback, fitsCard } from '../../agents/fallback.ts'
import type { FallbackRunner, FallbackState } from '../../agents/fallback.ts'
import { BranchChecker } from '../../workspaces/git/branch-in-use.ts'
import type { DispatchContext } from '../dispatch-context.ts'
import type { DispatchReport } from '../report.ts'

/** A lane with its agent. A limit or pause that stops one card of a lane stops all cards of the lane. */
export interface StaffedLane {
  readonly lane: Lane
  /** The agent that the cards name. For unassigned cards, this is the board's default agent. */
  readonly name: string | null
  /**
   * The agent that runs the cards. Null means that the cards have no agent. A fault explains why their agent cannot run
   * here.
   */
  readonly runner: Runner | AgentFault | null
  /** Whether this machine has no agent with that name. */
  readonly unknown: boolean
  /** `default` means that the cards are unassigned and get the board's default agent. */
  readonly assignment: 'own' | 'default'
  /**
   * The authors whose scripts need no approval. Null means that the agent does not run the body of a card as a script.
   */
  readonly trusted: readonly string[] | null
  /**
   * The active hours of the board or the agent, if they keep every card of the lane from starting now. Null means that
   * cards may start.
   */
  readonly closed: Obstacle | null
  /**
   * The fallback that replaces the named agent. Null means that no fallback replaces it now. If there is a fallback, it
   * is also the `runner`.
   */
  readonly fallback: FallbackRunner | null
  /** The time zone of this machine. */
  readonly zone: LocalZone
}

export interface Candidate extends Runner {
  readonly task: Task
  readonly lane: StaffedLane
}

type Buckets = Pick<DispatchReport, 'deferred' | 'unassigned' | 'unknownAgent'>

export interface Page extends Buckets {
  readonly candidates: readonly Candidate[]
  /** The position after these cards. Null means that the lane has no more cards. */
  readonly next: LanePlace | null
}

/**
 * The number of cards that a pass first reads from each lane. This number is enough to fill the free slots of a
 * machine.
 */
export const LANE_HEAD = 32

/** Finds the lanes that have cards, each with its agent. */
export async function findLanes(
  { store, options, env, onlyBoard }: DispatchContext,
  boards: readonly Board[],
): Promise<readonly StaffedLane[]> {
  const [roster, all, now] = await Promise.all([readRoster(options.home, env), store.lanes(), store.now()])
  const zone = localZone(now)
  const lanes = all.filter(({ board }) => onlyBoard === null || board === onlyBoard)
  const state = { ...(await pausesIn(store, roster)), zone, now }
  return lanes.map((lane) => {
    const staffed = withFallback(staff(lane, roster, boards), roster, state)
    return { ...staffed, zone, closed: closedHours(staffed, boards, { zone, now }) }
  })
}

type NamedLane = Omit<StaffedLane, 'closed' | 'zone' | 'fallback'>

/** Pauses and accounts are read only if an agent has a fallback, because nothing else in this file needs them. */
async function pausesIn(
  store: DispatchContext['store'],
  { agents }: Roster,
): Promise<Pick<FallbackState, 'accounts' | 'slots'>> {
  if (![...agents.values()].some(({ fallback }) => fallback !== null)) return { accounts: [], slots: [] }
  const [accounts, slots] = await Promise.all([store.accounts(), store.slots()])
  return { accounts, slots }
}

function withFallback(lane: NamedLane, roster: Roster, state: FallbackState): Omit<StaffedLane, 'closed' | 'zone'> {
  const { runner } = lane
  const role = roleIn(lane.lane.phase)
  const fallback =
    runner === null || 'code' in runner ? null : findFallback({ agent: runner.agent, role, roster }, state)
  return fallback === null
    ? { ...lane, fallback }
    : { ...lane, fallback, runner: fallback, trusted: trustedOf(fallback, roster) }
}

function closedHours(
  { lane, runner }: Pick<StaffedLane, 'lane' | 'runner'>,
  boards: readonly Board[],
  { zone, now }: { readonly zone: LocalZone; readonly now: number },
): Obstacle | null {
  const board = boards.find(({ slug }) => slug === lane.board)
  if (board === undefined || runner === null || 'code' in runner) return null
  const { name, activeHours: hours } = runner.agent
  return hoursObstacles(board, { zone, agent: { name, hours } }, now)[0] ?? null
}

function staff(lane: Lane, roster: Roster, boards: readonly Board[]): NamedLane {
  const { phase, board } = lane
  const name = lane.agent ?? (phase === 'review' ? boardReviewer(board, boards) : null)
  if (name !== null) {
    const runner = findRunner(name, roleIn(phase), roster)
    return {
      lane,
      name,
      runner,
      unknown: isUnknown(name, roster),
      assignment: 'own',
      trusted: trustedOf(runner, roster),
    }
  }
  const defaultAgent = phase === 'work' ? defaultOf(board, boards) : null
  const found = defaultAgent === null ? null : findRunner(defaultAgent, 'default_assignee', roster)
  return found === null || 'code' in found
    ? { lane, name, runner: null, unknown: false, assignment: 'own', trusted: null }
    : {
        lane,
        name: defaultAgent,
        runner: found,
        unknown: false,
        assignment: 'default',
        trusted: trustedOf(found, roster),
      }
}

const trustedOf = (runner: Runner | AgentFault, roster: Roster): StaffedLane['trusted'] =>
  'code' in runner ? null : trustedBy(runner.agent, roster)

const boardReviewer = (slug: string, boards: readonly Board[]): string | null =>
  boards.find((board) => board.slug === slug)?.settings.reviewer ?? null

export const defaultOf = (slug: string, boards: readonly Board[]): string | null =>
  boards.find((board) => board.slug === slug)?.settings.defaultAssignee ?? null

const NOTHING: Page = { candidates: [], deferred: [], unassigned: [], unknownAgent: [], next: null }

/** Reads one page of a lane. Returns the cards that may start now, and the reasons why other cards cannot start. */
export async function readPage(
  context: Pick<DispatchContext, 'store' | 'options' | 'lanePositions' | 'host'>,
  staffed: StaffedLane,
  { after, limit }: { readonly after: LanePlace | null; readonly limit: number },
): Promise<Page> {
  const { store, options, lanePositions, host } = context
  const { lane, runner, name } = staffed
  // A review without a reviewing agent waits for a person.
  if (runner === null && lane.phase === 'review') return NOTHING
  const found = await store.laneHead(lane, limit, after)
  const next = found.length === limit ? (found.at(-1) ?? null) : null
  const tasks = await withoutOwnWork(store, staffed, found)
  if (runner === null) return { ...NOTHING, unassigned: tasks.map(({ id }) => id) }
  const preflight = new Preflight(options.home)
  if ('code' in runner) {
    // A dispatcher that keeps running does not report reasons, so it does not search the repositories at every pass.
    const isReported = staffed.unknown && lanePositions === null
    const explain = (task: Task) => (isReported ? preflight.explainUnknown(task, runner) : runner)
    return { ...NOTHING, ...(await deferWithoutAgent(name, { found: runner, explain }, tasks)) }
  }
  const { closed } = staffed
  // All cards of the lane have the same active hours, so the pass reads none of them.
  if (closed !== null)
    return { ...NOTHING, deferred: tasks.map((task) => ({ id: task.id, reason: reasonFor(task, closed) })) }
  const branches = new BranchChecker(options.home)
  const unfit = await unfitForFallback(store, staffed, tasks)
  const unapproved = await unapprovedIn(store, tasks)
  const findObstacle = async (task: Task) => {
    const found =
      obstacleOnCard(task, lane, host.machine.id) ??
      unapproved.get(task.id) ??
      unfit(task) ??
      instead(staffed, (await preflight.obstaclesFor(task, runner, lane.phase))[0]) ??
      (await branchObstacles(context, branches, task))[0]
    return { task, reason: found === undefined ? null : reasonFor(task, found) }
  }
  const examined = await Promise.all(tasks.map(findObstacle))
  return {
    ...NOTHING,
    candidates: examined.flatMap(({ task, reason }) => (reason === null ? [{ task, lane: staffed, ...runner }] : [])),
    deferred: examined.flatMap(({ task: { id }, reason }) => (reason === null ? [] : [{ id, reason }])),
    next,
  }
}

/**
 * Leaves out cards that are assigned to the board's reviewer or that the reviewer has worked on. An agent must not
 * review its own work.
 */
async function withoutOwnWork(
  store: DispatchContext['store'],
  { lane, name }: StaffedLane,
  found: readonly Task[],
): Promise<readonly Task[]> {
  if (lane.phase !== 'review' || lane.agent !== null || name === null || found.length === 0) return found
  const ids = found.map(({ id }) => id)
  const own = await store.workedOn(lane.board, name, ids)
  return found.filter(({ id, assignee }) => assignee !== name && !own.includes(id))
}

/** Finds the cards that the fallback cannot run. Such cards wait for their own agent. */
async function unfitForFallback(
  store: DispatchContext['store'],
  { lane: { board, phase }, fallback }: StaffedLane,
  tasks: readonly Task[],
): Promise<(task: Task) => Obstacle | undefined> {
  if (fallback === null) return () => undefined
  const ids = tasks.map(({ id }) => id)
  const own = phase === 'review' ? await store.workedOn(board, fallback.agent.name, ids) : []
  return (task) => (fitsCard(fallback, task, { phase, hasWorked: own.includes(task.id) }) ? undefined : fallback.pause)
}

/**
 * The synthesizers of swarms whose verifier has not approved the work. Their status is ready, because nothing else
 * holds them back.
 */
async function unapprovedIn(
  store: DispatchContext['store'],
  tasks: readonly Task[],
): Promise<ReadonlyMap<Task['id'], Obstacle>> {
  const synthesizers = tasks.filter(isSynthesizer)
  if (synthesizers.length === 0) return new Map()
  const found = await store.verifications(synthesizers.map(({ id }) => id))
  return new Map(
    synthesizers.flatMap((task) => {
      const verification = found.find(({ synthesizer }) => synthesizer === task.id)?.verification ?? null
      const [closed] = verificationObstacles({ task, verification, openParents: [] })
      return closed === undefined ? [] : [[task.id, closed] as const]
    }),
  )
}

/** A card that the fallback cannot run waits for its own agent. So the reported reason is the pause of that agent. */
const instead = ({ fallback }: StaffedLane, found: Obstacle | undefined): Obstacle | undefined =>
  found === undefined ? undefined : (fallback?.pause ?? found)

/**
 * An obstacle that is visible in the row of the card. Finding the obstacle here saves the transaction of a claim that
 * would be refused.
 */
function obstacleOnCard(task: Task, { phase }: Lane, machine: string): Obstacle | null {
  const { openParents, workspace } = task
  const [place] = locationObstacles(task, machine, [])
  if (place !== undefined) return place
  if (workspace.state === 'sweeping') return obstacle('workspace_sweeping', {})
  // A ready card with an unfinished parent is an error in the data, which the claim corrects.
  return phase === 'review' && openParents > 0 ? obstacle('parents_open', { count: openParents, parents: [] }) : null
}

const reasonFor = (task: Task, found: Obstacle): Reason =>
  withRemedies(found, { task, openParents: Array(task.openParents).fill(null) })

/**
 * The obstacles from the branch of a card. A card that does not require a certain branch gets its own branch, so it has
 * none of these obstacles.
 */
async function branchObstacles(
  { store, host }: Pick<DispatchContext, 'store' | 'host'>,
  branches: BranchChecker,
  task: Task,
): Promise<readonly Obstacle[]> {
  if (pinnedBranch(task) === null) return []
  const machine = host.machine.id
  const { branchHolders } = await store.admissionFacts(task, { machine, agent: null, account: null })
  const waits = locationObstacles(task, machine, branchHolders)
  return waits.length > 0 ? waits : branches.obstacles(task, branchHolders)
}

async function deferWithoutAgent(
  name: string | null,
  { found, explain }: { readonly found: AgentFault; readonly explain: (task: Task) => Obstacle | Promise<Obstacle> },
  tasks: readonly Task[],
): Promise<Partial<Page>> {
  const deferred = await Promise.all(
    tasks.map(async (task) => ({ id: task.id, reason: reasonFor(task, await explain(task)) })),
  )
  return found.code !== 'program_missing'
    ? { deferred, unknownAgent: tasks.map(({ id }) => ({ id, agent: name ?? '' })) }
    : { deferred }
}
