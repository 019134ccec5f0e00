/**
 * Claims cards and starts a supervisor for each card. If no supervisor starts after a claim, a later pass closes the
 * run.
 */
import { lastAgentChecks } from '../core/required-checks.ts'
import type { AgentTrust } from '../core/gates/command-approval.ts'
import { BoardError, diskFull, isDiskFull } from '../core/errors.ts'
import type { RunId } from '../core/ids.ts'
import { pinnedBranch } from '../core/gates/workspace-gates.ts'
import { hashToken, newRunId, newToken } from '../util/mint.ts'
import type { Library } from '../supervisor/start/library.ts'
import { readRoster } from '../agents/roster.ts'
import { makeRunDirectory } from '../runs/files/run-directory.ts'
import { isShortage, retryUntilAvailable, tryBriefly } from '../supervisor/retry.ts'
import { startSupervisor } from '../supervisor/start/start-supervisor.ts'
import { agentPart, writeTicket } from '../supervisor/start/ticket.ts'
import { beyondAuthor } from '../agents/to-approve.ts'
import { realDirectory } from '../workspaces/directory.ts'
import { DISPATCHER_ACTOR } from '../core/actor.ts'
import type { LeaderContext } from './dispatch-context.ts'
import type { UnknownRuns } from './recovery/end-unknown-runs.ts'
import { explainScratch } from './explain-scratch.ts'
import { libraryOf } from './library.ts'
import type { Candidate, StaffedLane } from './lanes/lanes.ts'
import { requireSpace } from './require-space.ts'
import type { DispatchReport, StartedRun } from './report.ts'
import type { Launched } from './lanes/pass-progress.ts'
import { PassProgress } from './lanes/pass-progress.ts'
import { tryCandidates } from './lanes/try-candidates.ts'
import { systemReasonWithPath } from '../util/system-errors.ts'

/** The time for which a pass retries a call to the store. */
const RETRY_MS = 5_000

export async function launch(
  context: LeaderContext,
  lanes: readonly StaffedLane[],
  unknownRuns: UnknownRuns,
): Promise<Launched & Pick<DispatchReport, 'warnings'>> {
  const { options, leadership, max } = context
  const warnings: string[] = []
  const alone = context.lanePositions === null
  const progress = new PassProgress({ used: await agentRuns(context), cap: options.machineCap, max, alone })
  // Unassigned cards must be assigned before they can be claimed.
  const staffed = lanes.filter(({ assignment }) => assignment === 'own')
  await tryCandidates(context, staffed, {
    progress,
    start: async (candidate) => liveRunError(candidate, unknownRuns) ?? (await startOne(context, candidate, warnings)),
    shouldContinue: () => leadership.isHeld() && !progress.superseded,
  })
  if (context.lanePositions !== null) context.lanePositions.opensAt = firstOpening(lanes)
  return { ...progress.launched(), warnings }
}

const firstOpening = (lanes: readonly StaffedLane[]): number | null =>
  lanes.reduce<number | null>((first, { closed }) => {
    const at = closed?.until ?? null
    return at === null || (first !== null && first <= at) ? first : at
  }, null)

/**
 * The error if the card has a run that is alive but unknown to the store. The card must not start before that run ends.
 */
function liveRunError({ task: { id } }: Candidate, unknownRuns: UnknownRuns): BoardError | null {
  const run = unknownRuns.get(id)
  if (run === undefined) return null
  return new BoardError(
    'run_live',
    `Processes of run ${run} are alive, but the store does not know that run. The card starts when they have ended.`,
    {
      details: { id, run },
    },
  )
}

const agentRuns = async ({ store, leadership }: LeaderContext): Promise<number> =>
  (await store.openRuns(leadership.machine)).filter(({ kind }) => kind === 'agent').length

async function startOne(
  context: LeaderContext,
  candidate: Candidate,
  warnings: string[],
): Promise<StartedRun | BoardError> {
  const { home } = context.options
  await requireSpace(home)
  const library = await libraryOf(context)
  const claimed = await claimCard(context, candidate, library)
  if ('code' in claimed) return claimed
  const { run, token } = claimed
  warnings.push(...(await explainScratch(context, candidate.task)))
  try {
    await startProcess(context, candidate, { runId: run.runId, token, program: library.program })
    return run
  } catch (error) {
    const fault = startFault(run, home, error)
    context.leadership.runWatch.noteStartFault(run.runId, fault.message)
    await closeUnstarted(context, run, fault.message)
    throw fault
  }
}

/**
 * The error if a supervisor could not be started. This error ends the pass, because no other supervisor could start
 * either.
 */
function startFault({ id }: StartedRun, home: string, cause: unknown): BoardError {
  if (cause instanceof BoardError) return cause
  if (isDiskFull(cause)) return diskFull(home, { details: { id, home }, cause })
  return new BoardError(
    isShortage(cause) ? 'capped' : 'store_io',
    `The supervisor of ${id} could not be started: ${systemReasonWithPath(cause)}. This does not count as a failure of the card.`,
    { details: { id }, cause },
  )
}

interface Claimed {
  readonly run: StartedRun & { readonly runId: RunId }
  readonly token: string
}

async function claimCard(
  { store, leadership, options, env }: LeaderContext,
  { task, agent, lane }: Candidate,
  { version: libVersion }: Library,
): Promise<Claimed | BoardError> {
  const { id, board } = task
  const runId = newRunId()
  const token = newToken()
  const input = {
    task: id,
    runId,
    tokenHash: hashToken(token),
    agent: agent.name,
    insteadOf: lane.fallback?.insteadOf.name ?? null,
    account: agent.account,
    machine: leadership.machine,
    dispatcher: leadership.identity,
    dispatcherTokenHash: leadership.tokenHash,
    caps: { machine: options.machineCap, agent: agent.maxConcurrent, account: null },
    maxRuntimeMs: agent.maxRuntimeMs,
    checks: await checksOfOwner({ store, options, env }, { task, agent }),
    libVersion,
    directory: await realDirectory(task.workspace),
    pinned: pinnedBranch(task) !== null,
    zone: lane.zone,
    activeHours: agent.activeHours,
    ...(await trustOfCandidate({ store, options, env }, { task, agent, lane })),
  }
  // If the reply was lost, the store may already have accepted the claim. Sending the same claim again is safe.
  const outcome = await retryUntilAvailable(
    () => store.decide({ verb: 'claim', board, actor: DISPATCHER_ACTOR, input }),
    {
      forMs: RETRY_MS,
    },
  )
  if (!outcome.ok) return outcome.error
  const { attempt, phase } = outcome.result
  return { run: { id, board, runId, agent: agent.name, phase, attempt }, token }
}

/**
 * Reads the permissions that the card's author has. The agent files are read again only for a card that a run created,
 * because the author's permissions matter only then.
 */
export const trustOfCandidate = async (
  { store, options, env }: Pick<LeaderContext, 'store' | 'options' | 'env'>,
  { task, agent, lane: { trusted } }: Pick<Candidate, 'task' | 'agent' | 'lane'>,
): Promise<AgentTrust> => ({
  approvalCause:
    task.createdByRun === null
      ? null
      : await beyondAuthor(store, { task, agent, roster: await readRoster(options.home, env) }),
  trusted,
})

/**
 * The checks of the assignee, which also apply in reviews. If the assignee's file is on another machine, the checks of
 * the last run are used.
 */
async function checksOfOwner(
  { store, options, env }: Pick<LeaderContext, 'store' | 'options' | 'env'>,
  { task, agent }: Pick<Candidate, 'task' | 'agent'>,
): Promise<string[]> {
  const { assignee, board, id } = task
  if (assignee === agent.name) return [...agent.checks]
  if (assignee === null) return []
  const owner = (await readRoster(options.home, env)).agents.get(assignee)
  return [...(owner?.checks ?? lastAgentChecks(await store.runs(board, id)))]
}

async function startProcess(
  context: LeaderContext,
  { task, agent }: Candidate,
  { runId, token, program }: { runId: RunId; token: string; program: string },
): Promise<void> {
  const { options, store, env, host, leadership } = context
  const directory = await makeRunDirectory(options.home, runId)
  await writeTicket(directory, {
    version: 1,
    home: options.home,
    machine: host.machine.id,
    store: options.store,
    board: task.board,
    task: task.id,
    run: runId,
    token,
    ...agentPart(agent),
    turnEndMs: options.turnEndMs,
    terminateGraceMs: options.terminateGraceMs,
    killWaitMs: options.killWaitMs,
    logMaxBytes: options.logMaxBytes,
    quotaWaitMs: options.quotaWaitMs,
    sessionWaitMs: options.sessionWaitMs,
    judgeRetryMs: options.judgeRetryMs,
  })
  leadership.runWatch.noteStarted(runId)
  const { exited } = await startSupervisor({
    program,
    directory,
    host,
    env,
    passEnvironment: agent.env,
    remoteStore: store.engine === 'postgres',
    modelKeys: options.modelKeys,
  })
  void exited.then((exit) => {
    leadership.runWatch.noteExit(runId, exit)
    context.onSupervisorExit?.()
  })
}

/**
 * Closes a run whose start failed, without waiting for the start deadline. The failed start does not count against the
 * agent. If the store cannot be reached now, the next pass closes the run.
 */
async function closeUnstarted({ store, leadership }: LeaderContext, run: Claimed['run'], error: string): Promise<void> {
  const input = {
    task: run.id,
    runId: run.runId,
    by: { machine: leadership.machine, dispatcherTokenHash: leadership.tokenHash, unregistered: true },
    ending: { how: 'interrupted', error },
  } as const
  await tryBriefly(() => store.decide({ verb: 'settle', board: run.board, actor: DISPATCHER_ACTOR, input }), RETRY_MS)
}
