/** Claims what may start and starts a supervisor for each. The store first: a claim without a process heals, the reverse would not. */
import { lastAsked } from '../core/checks-of.ts'
import type { Taker } from '../core/gates/command-approval.ts'
import { BoardError, diskFull, isDiskFull } from '../core/errors.ts'
import type { RunId } from '../core/ids.ts'
import { pinnedBranch } from '../core/gates/workspace-gates.ts'
import { hashToken, newRunId, newToken } from '../util/mint.ts'
import type { Library } from '../supervisor/start/library.ts'
import { readRoster } from '../agents/roster.ts'
import { makeRunDirectory } from '../runs/files/run-directory.ts'
import { isShortage } from '../supervisor/shortage.ts'
import { startSupervisor } from '../supervisor/start/start-supervisor.ts'
import { briefly } from '../supervisor/briefly.ts'
import { patiently } from '../supervisor/patiently.ts'
import { agentPart, writeTicket } from '../supervisor/start/ticket.ts'
import { beyondAuthor } from '../agents/to-approve.ts'
import { directoryOf } from '../workspaces/directory.ts'
import { DISPATCHER } from './actor.ts'
import type { Leading } from './dispatching.ts'
import type { Strays } from './end-strays.ts'
import { explainScratch } from './explain-scratch.ts'
import { libraryOf } from './library.ts'
import type { Candidate, StaffedLane } from './lanes.ts'
import { requireSpace } from './require-space.ts'
import type { DispatchReport, StartedRun } from './report.ts'
import type { Launched } from './round.ts'
import { Round } from './round.ts'
import { walk } from './walk.ts'
import { systemFault } from '../util/system-words.ts'

/** How long a pass insists on an answer of the store. */
const INSIST_MS = 5_000

export async function launch(
  leading: Leading,
  lanes: readonly StaffedLane[],
  strays: Strays,
): Promise<Launched & Pick<DispatchReport, 'warnings'>> {
  const { options, lead, max } = leading
  const warnings: string[] = []
  const alone = leading.bookmarks === null
  const round = new Round({ used: await agentRuns(leading), cap: options.machineCap, max, alone })
  // Cards of nobody have to be assigned before anybody can claim them.
  const staffed = lanes.filter(({ stand }) => stand === 'own')
  await walk(leading, staffed, {
    round,
    start: async (candidate) => beside(candidate, strays) ?? (await startOne(leading, candidate, warnings)),
    goesOn: () => lead.held() && !round.superseded,
  })
  return { ...round.launched(), warnings }
}

/** A second worker of a card must not start beside processes of a run that the store no longer knows. */
function beside({ task: { id } }: Candidate, strays: Strays): BoardError | null {
  const run = strays.get(id)
  if (run === undefined) return null
  return new BoardError('run_live', `Processes of ${run} still run, but the store does not know that run.`, {
    details: { id, run },
  })
}

const agentRuns = async ({ store, lead }: Leading): Promise<number> =>
  (await store.openRuns(lead.machine)).filter(({ kind }) => kind === 'agent').length

async function startOne(leading: Leading, candidate: Candidate, warnings: string[]): Promise<StartedRun | BoardError> {
  const { home } = leading.options
  await requireSpace(home)
  const library = await libraryOf(leading)
  const claimed = await claim(leading, candidate, library)
  if ('code' in claimed) return claimed
  const { run, token } = claimed
  warnings.push(...(await explainScratch(leading, candidate.task)))
  try {
    await startProcess(leading, candidate, { runId: run.runId, token, program: library.program })
    return run
  } catch (error) {
    const fault = startFault(run, home, error)
    leading.lead.vigil.noteUnstarted(run.runId, fault.message)
    await closeUnstarted(leading, run, fault.message)
    throw fault
  }
}

/** If one supervisor cannot start, none can: the pass ends. */
function startFault({ id }: StartedRun, home: string, cause: unknown): BoardError {
  if (cause instanceof BoardError) return cause
  if (isDiskFull(cause)) return diskFull(home, { details: { id, home }, cause })
  return new BoardError(
    isShortage(cause) ? 'capped' : 'store_io',
    `The supervisor of ${id} could not be started: ${systemFault(cause)}. Nothing is counted against the card.`,
    { details: { id }, cause },
  )
}

interface Claimed {
  readonly run: StartedRun & { readonly runId: RunId }
  readonly token: string
}

async function claim(
  { store, lead, options, env }: Leading,
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
    account: agent.account,
    machine: lead.machine,
    dispatcher: lead.identity,
    dispatcherTokenHash: lead.tokenHash,
    caps: { machine: options.machineCap, agent: agent.maxConcurrent, account: null },
    maxRuntimeMs: agent.maxRuntimeMs,
    checks: await checksOfOwner({ store, options, env }, { task, agent }),
    libVersion,
    directory: await directoryOf(task.workspace),
    pinned: pinnedBranch(task) !== null,
    ...(await takerOfCandidate({ store, options, env }, { task, agent, lane })),
  }
  // An answer that was lost may have been a yes: the same question again finds out, and claims nothing twice.
  const outcome = await patiently(() => store.decide({ verb: 'claim', board, actor: DISPATCHER, input }), {
    forMs: INSIST_MS,
  })
  if (!outcome.ok) return outcome.error
  const { attempt, phase } = outcome.result
  return { run: { id, board, runId, agent: agent.name, phase, attempt }, token }
}

/** Only the cards of runs have an author to ask about, and they are few: no other start reads the agents again. */
export const takerOfCandidate = async (
  { store, options, env }: Pick<Leading, 'store' | 'options' | 'env'>,
  { task, agent, lane: { trusted } }: Pick<Candidate, 'task' | 'agent' | 'lane'>,
): Promise<Taker> => ({
  beyond:
    task.createdByRun === null
      ? null
      : await beyondAuthor(store, { task, agent, roster: await readRoster(options.home, env) }),
  trusted,
})

/** A card is its assignee's, whoever reviews it and wherever: that one's file may be on another machine. */
async function checksOfOwner(
  { store, options, env }: Pick<Leading, 'store' | 'options' | 'env'>,
  { task, agent }: Pick<Candidate, 'task' | 'agent'>,
): Promise<string[]> {
  const { assignee, board, id } = task
  if (assignee === agent.name) return [...agent.checks]
  if (assignee === null) return []
  const owner = (await readRoster(options.home, env)).agents.get(assignee)
  return [...(owner?.checks ?? lastAsked(await store.runs(board, id)))]
}

async function startProcess(
  leading: Leading,
  { task, agent }: Candidate,
  { runId, token, program }: { runId: RunId; token: string; program: string },
): Promise<void> {
  const { options, store, env, host, lead } = leading
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
  })
  lead.vigil.noteStarted(runId)
  const { exited } = await startSupervisor({
    program,
    directory,
    host,
    env,
    passEnvironment: agent.env,
    remoteStore: store.engine === 'postgres',
  })
  void exited.then((exit) => {
    lead.vigil.noteExit(runId, exit)
    leading.onSupervisorExit?.()
  })
}

/**
 * We saw the start fail, so nothing of it runs and nobody needs to wait for the deadline. It is not the agent's failure.
 * If the store does not hear it now, the next pass closes the run.
 */
async function closeUnstarted({ store, lead }: Leading, run: Claimed['run'], error: string): Promise<void> {
  const input = {
    task: run.id,
    runId: run.runId,
    by: { machine: lead.machine, dispatcherTokenHash: lead.tokenHash, unregistered: true },
    ending: { how: 'interrupted', error },
  } as const
  await briefly(() => store.decide({ verb: 'settle', board: run.board, actor: DISPATCHER, input }), INSIST_MS)
}
