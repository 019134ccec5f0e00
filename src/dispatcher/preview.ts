/** Reports what a pass would do, without writing to the store or sending signals. */
import { reasonsToWait } from '../core/gates/admission.ts'
import type { OpenRuns } from '../core/gates/admission.ts'
import type { Board } from '../core/board.ts'
import type { TaskId } from '../core/ids.ts'
import type { Run } from '../core/run.ts'
import type { Slot } from '../core/slot.ts'
import type { Task } from '../core/task.ts'
import { pinnedBranch } from '../core/gates/workspace-gates.ts'
import { isRunning, RUNNING } from '../core/status.ts'
import type { Store } from '../storage/store.ts'
import { toApprove } from '../agents/to-approve.ts'
import { realDirectory } from '../workspaces/directory.ts'
import type { DispatchContext } from './dispatch-context.ts'
import { LANE_HEAD, defaultOf, findLanes } from './lanes/lanes.ts'
import { trustOfCandidate } from './launch.ts'
import type { Candidate, StaffedLane } from './lanes/lanes.ts'
import { lossOf } from './recovery/find-lost-runs.ts'
import type { DispatchReport, SettledRun, StartedRun } from './report.ts'
import { emptyReport, summarised } from './report.ts'
import { PassProgress } from './lanes/pass-progress.ts'
import type { Refusal } from './lanes/pass-progress.ts'
import { tryCandidates } from './lanes/try-candidates.ts'

const BATCH = 200

type Counted = Pick<Run, 'machine' | 'board' | 'agent' | 'account'>

export async function previewPass(context: DispatchContext): Promise<DispatchReport> {
  const { store, host, options, max } = context
  const now = await store.now()
  const boards = await store.boards()
  const open = (await store.openRuns(null)).filter(({ kind }) => kind === 'agent')
  const lost = open.filter(
    (run) =>
      lossOf(context, run, { now, wasWatchedFor: () => false, own: null, hasExit: false, startFailed: false }) !== null,
  )
  const due = await store.due(now, BATCH)
  const lanes = await findLanes(context, boards)
  const counted: Counted[] = open.filter((run) => !lost.includes(run))
  const used = counted.filter(({ machine }) => machine === host.machine.id).length
  const progress = new PassProgress({ used, cap: options.machineCap, max, alone: true })
  const state = { counted, boards, slots: await store.slots(), now, lost, directories: new Map<string, TaskId>() }
  const start = (candidate: Candidate): Promise<StartedRun | Refusal> => wouldStart(context, candidate, state)
  await tryCandidates({ ...context, lanePositions: null }, lanes, { progress, start, shouldContinue: () => true })
  const launched = progress.launched()
  return {
    ...emptyReport(),
    ...launched,
    interrupted: lost.map(stillRunning),
    woken: due.filter(({ status }) => !isRunning(status)).map(({ id }) => id),
    autoAssigned: await wouldAssign(context, lanes, boards),
    ...summarised(launched.deferred),
  }
}

const stillRunning = ({ taskId, board, id, phase }: Run): SettledRun => ({
  id: taskId,
  board,
  runId: id,
  phase,
  outcome: null,
  status: RUNNING,
})

async function wouldAssign(
  { store }: DispatchContext,
  lanes: readonly StaffedLane[],
  boards: readonly Board[],
): Promise<DispatchReport['autoAssigned']> {
  const found: DispatchReport['autoAssigned'] = []
  for (const { lane, assignment } of lanes) {
    if (assignment !== 'default') continue
    const agent = defaultOf(lane.board, boards) ?? ''
    for (const { id } of await store.laneHead(lane, LANE_HEAD)) found.push({ id, board: lane.board, agent })
  }
  return found
}

interface PreviewState {
  /** Open runs, and runs that this preview would start. Both kinds count against the limits. */
  readonly counted: Counted[]
  readonly boards: readonly Board[]
  readonly slots: readonly Slot[]
  readonly now: number
  readonly lost: readonly Run[]
  /** The directories of cards that this preview would start. */
  readonly directories: Map<string, TaskId>
}

async function wouldStart(
  { store, host, options, env }: DispatchContext,
  { task, agent, lane }: Candidate,
  state: PreviewState,
): Promise<StartedRun | Refusal> {
  const { counted, boards, slots, now, directories } = state
  const board = boards.find(({ slug }) => slug === task.board)
  if (board === undefined) return { code: 'board_not_found', message: `There is no board ${task.board}.`, details: {} }
  const run: Counted = { machine: host.machine.id, board: task.board, agent: agent.name, account: agent.account }
  const directory = (await realDirectory(task.workspace)) ?? task.workspace.path
  const [reason] = reasonsToWait({
    task: lane.assignment === 'default' ? { ...task, assignee: agent.name } : task,
    board,
    now,
    openParents: await store.openParents(task.board, task.id),
    slots: slotsOf(slots, run, board),
    account: agent.account === null ? null : await store.account(agent.account),
    openRuns: countRuns(counted, run),
    caps: { machine: options.machineCap, agent: agent.maxConcurrent, account: null },
    // False, because the lane already leaves out cards that the reviewer has worked on.
    reviewerIsAuthor: false,
    directoryUser: await userOfDirectory(store, task, { directory, run, state }),
    branchHolders: pinnedBranch(task) === null ? [] : (await store.admissionFacts(task, run)).branchHolders,
    machine: host.machine.id,
    approvalCause: await toApprove(store, task, await trustOfCandidate({ store, options, env }, { task, agent, lane })),
  })
  if (reason !== undefined)
    return {
      code: reason.code === 'directory_busy' ? 'directory_busy' : 'gate_closed',
      message: `Card ${task.id} cannot start now (${reason.code}).`,
      details: { reason },
    }
  counted.push(run)
  if (task.workspace.kind === 'dir' && directory !== null) directories.set(directory, task.id)
  return { id: task.id, board: task.board, runId: null, agent: agent.name, phase: lane.lane.phase, attempt: null }
}

/**
 * The card that uses the directory, or that this preview would start in the directory. Lost runs do not count, because
 * a real pass ends them first.
 */
async function userOfDirectory(
  store: Store,
  { board, id, workspace, branch }: Task,
  { directory, run, state: { directories, lost } }: { directory: string | null; run: Counted; state: PreviewState },
): Promise<TaskId | null> {
  if (workspace.kind !== 'dir' || directory === null) return null
  const begun = directories.get(directory)
  if (begun !== undefined) return begun
  const place = { board, id, branch, workspace: { ...workspace, path: directory } }
  const { directoryUser: user } = await store.admissionFacts(place, run)
  return lost.some(({ taskId }) => taskId === user) ? null : user
}

const slotsOf = (slots: readonly Slot[], run: Counted, board: Board): readonly Slot[] =>
  slots.filter(
    ({ kind, name }) =>
      (kind === 'machine' && name === run.machine) ||
      (kind === 'board' && name === board.slug) ||
      (kind === 'agent' && name === run.agent),
  )

const countRuns = (counted: readonly Counted[], run: Counted): OpenRuns => ({
  machine: counted.filter(({ machine }) => machine === run.machine).length,
  board: counted.filter(({ board }) => board === run.board).length,
  agent: counted.filter(({ agent }) => agent === run.agent).length,
  account: run.account === null ? 0 : counted.filter(({ account }) => account === run.account).length,
})
