/** Prepares and starts the agent of a run: workspace, files, environment, wrapper. */
import { delimiter, dirname, join } from 'node:path'
import type { BriefingSkill } from '../core/briefing/briefing-input.ts'
import { requiredChecks } from '../core/required-checks.ts'
import { inHome } from '../config/home.ts'
import { BoardError } from '../core/errors.ts'
import { boardRole } from '../core/vocabulary.ts'
import { allowedEnvironment, assignmentEnvironment, socketEnvironment } from '../processes/environment.ts'
import { briefCard } from './brief-card.ts'
import type { Briefing } from './brief-card.ts'
import type { Harness, Job, Launch, Turn } from '../harnesses/harness.ts'
import { loadHarness, programName } from '../harnesses/index.ts'
import { programNames, withheldKeys, withheldText, withoutKeys } from '../harnesses/gateway-keys.ts'
import { ACP_CLIENT, RUN_PROGRAMS, SHIM } from './start/library.ts'
import { noteInLog } from '../runs/log/log-note.ts'
import { noteParents, parentFolders, parentsVariable } from '../runs/parents.ts'
import { foldersHandedOver } from '../harnesses/readable-folders.ts'
import { writeWhole } from '../runs/files/run-directory.ts'
import { isShortage, retryUntilAvailable } from './retry.ts'
import { requestedSkills } from '../agents/skills/requested-skills.ts'
import type { RunSkill } from '../harnesses/harness.ts'
import { startDetached } from '../processes/spawn.ts'
import type { StartRequest, StartedProcess } from '../processes/spawn.ts'
import { WRAPPER, wrapperArguments } from '../runs/wrapper.ts'
import { enterFolder } from '../workspaces/managed-folder.ts'
import { WorkspaceBusy } from '../workspaces/workspace-fault.ts'
import { enterWorkspace } from './workspace/enter-workspace.ts'
import { writeRunFiles } from '../harnesses/write-run-files.ts'
import type { ConnectedRun } from './supervised-run.ts'

/**
 * This error means that the workspace of the card cannot be prepared or the agent cannot be started. Any other error is
 * a fault of Muster itself.
 */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
}

const cannotStart = (cause: unknown): never => {
  if (isShortage(cause) || cause instanceof WorkspaceBusy) throw cause
  throw new CannotStart(cause instanceof Error ? cause.message : String(cause), { cause })
}

/** How to start an agent, and the user's files to restore afterwards. */
export type AgentRequest = StartRequest & Pick<Launch, 'unwantedChanges'>

/** An agent that is ready to start, with the data for its later turns. */
export interface PreparedAgent {
  readonly request: AgentRequest
  readonly harness: Harness
  readonly job: Job
  /** The text that replaces the briefing when the agent resumes an earlier session. */
  readonly resumed: string
  /** The time of the last answer on the card. Null means that no person has answered. */
  readonly answeredAt: number | null
}

/**
 * Prepares the agent. `signal` may abort the preparation at any point, because no process of the agent is running yet.
 */
export async function prepareAgent(owned: ConnectedRun, signal: AbortSignal): Promise<PreparedAgent> {
  const { store, ticket, directory, task } = owned
  const harness = await loadHarness(ticket.harness)
  if (harness === null) throw new BoardError('not_supported', `Harness ${ticket.harness} cannot be started here.`)
  // An agent may have changed the commands after the claim checked their approval.
  if (harness.runsTheCard && !task.commandsApproved)
    throw new BoardError(
      'gate_closed',
      `An agent wrote the commands of card ${task.id}, and no person has approved them. Run: muster approve ${task.id} --commands`,
    )
  if (owned.run.attempt > 1) {
    await (await import('./workspace/restore-user-files.ts')).restoreUserFiles(owned, signal)
    await (await import('./workspace/archive-scratch.ts')).archiveScratch(owned, signal)
  }
  const { path: workspace, branch } = await enterWorkspace(owned, signal).catch(cannotStart)
  if (ticket.setup.length > 0)
    await (await import('./workspace/set-up.ts')).setUpForAgent(owned, workspace, signal).catch(cannotStart)
  const { skills, forBriefing } = await skillsOf(owned, { workspace, harness, signal })
  const brief = (): Promise<Briefing> => briefingOf(owned, branch, forBriefing)
  const {
    text: briefing,
    files,
    resumed,
    answeredAt,
    snapshotFolders,
  } = harness.readsBriefing ? await retryUntilAvailable(brief, { signal }) : NO_BRIEFING
  const parents = await retryUntilAvailable(
    () => noteParents(store, { home: ticket.home, machine: owned.run.machine }, task),
    {
      signal,
    },
  )
  const readable = harness.readsBriefing
    ? await retryUntilAvailable(() => readableBy(owned, { files, snapshotFolders, parents }), { signal })
    : []
  const job = jobOf(owned, { program: programName(harness, ticket.args), workspace, briefing, skills, readable })
  const launch = launchOf(() => harness.launch(job))
  await writeWhole(directory.parents, `${JSON.stringify(parents, null, 2)}\n`)
  await writeWhole(directory.wrapper, WRAPPER, 0o700)
  for (const { path, content } of files) await writeWhole(path, content)
  await writeRunFiles(directory, launch)
  await noteWithheldKeys(owned)
  return { request: requestOf(owned, { harness, job, launch, parents }), harness, job, resumed, answeredAt }
}

interface Ready extends Pick<PreparedAgent, 'harness' | 'job'> {
  readonly launch: Launch
  readonly parents: Awaited<ReturnType<typeof noteParents>>
}

function requestOf(owned: ConnectedRun, { harness, job, launch, parents }: Ready): AgentRequest {
  const { ticket, directory, task, run, fence, socket } = owned
  const { workspace, turn } = job
  const assignment = {
    task: task.id,
    run: fence.runId,
    board: ticket.board,
    workspace,
    agent: ticket.agent,
    phase: run.phase,
    turn,
    tenant: task.tenant,
    parents: parentsVariable(parents),
    parentsFile: directory.parents,
    parentFolders: parentFolders(parents),
  }
  return {
    ...unwantedChangesOf(launch),
    program: '/bin/sh',
    args: wrapperArguments(directory, fence, launch.argv),
    cwd: workspace,
    log: directory.log,
    stdin: launch.stdin,
    env: {
      ...job.env,
      ...assignmentEnvironment(assignment),
      ...socketEnvironment(socket, harness),
      ...launch.env,
    },
  }
}

/** The launch that resumes the session for a later turn. Null means that the harness cannot resume sessions. */
export function launchResumed({ harness, job }: PreparedAgent, turn: number, next: Turn): Launch | null {
  return launchOf(() => harness.resume({ ...job, turn }, next))
}

/** The launch with the full briefing, if an earlier session could not be resumed. */
export const launchAnew = ({ harness, job }: PreparedAgent, turn: number): Launch =>
  launchOf(() => harness.launch({ ...job, turn }))

/** The request for a later turn, based on the request of the first turn. */
export async function prepareTurn(
  { directory, fence }: ConnectedRun,
  { request }: PreparedAgent,
  { launch, turn }: { launch: Launch; turn: number },
): Promise<AgentRequest> {
  await writeRunFiles(directory, launch)
  const env = { ...request.env, MUSTER_TURN: String(turn), ...launch.env }
  return {
    ...request,
    ...unwantedChangesOf(launch),
    args: wrapperArguments(directory, fence, launch.argv),
    stdin: launch.stdin,
    env,
  }
}

const unwantedChangesOf = ({ unwantedChanges = [] }: Launch): Pick<Launch, 'unwantedChanges'> => ({ unwantedChanges })

function launchOf<L>(make: () => L): L {
  try {
    return make()
  } catch (error) {
    return cannotStart(error)
  }
}

async function readableBy(
  { ticket, directory }: ConnectedRun,
  { files, snapshotFolders, parents }: Pick<Briefing, 'files' | 'snapshotFolders'> & Pick<Ready, 'parents'>,
): Promise<readonly string[]> {
  const { home, board, task } = ticket
  // Some CLIs ignore folders that do not exist when they start, so the folder is created now.
  await enterFolder(home, 'boards', board, 'attachments', task)
  return foldersHandedOver({
    home,
    forAgent: files.length === 0 ? null : directory.forAgent,
    attachments: join(inHome.attachments(home, board), task),
    snapshotFolders,
    parents,
  })
}

const jobOf = (
  { ticket, directory, task, run, fence, env, socket }: ConnectedRun,
  made: Pick<Job, 'program' | 'workspace' | 'briefing' | 'skills' | 'readable'>,
): Job => ({
  ...made,
  agent: {
    name: ticket.agent,
    args: ticket.args,
    permissions: ticket.permissions,
    model: task.model ?? ticket.model,
    provider: task.provider ?? ticket.provider,
    effort: task.effort ?? ticket.effort,
  },
  task,
  run: fence.runId,
  turn: 1,
  directory,
  socket,
  shim: beside(SHIM),
  acpClient: beside(ACP_CLIENT, THRIFTY),
  sessionWaitMs: ticket.sessionWaitMs,
  role: boardRole(ticket.tools, run.phase, task),
  path: env['PATH'],
  env: agentEnvironment(env, ticket),
})

/** The environment of the agent, without keys that the CLI would send to the wrong host. */
function agentEnvironment(
  env: ConnectedRun['env'],
  { passEnvironment, harness, args }: ConnectedRun['ticket'],
): Job['env'] {
  const allowed = allowedEnvironment(env, passEnvironment)
  const own = withoutKeys(allowed, withheldKeys(programNames(harness, args, env['PATH']), allowed))
  return { ...own, PATH: [runPrograms(), own['PATH']].filter(Boolean).join(delimiter) }
}

const runPrograms = (): string => join(dirname(process.argv[1] ?? ''), RUN_PROGRAMS)

/** Explains in the log why the CLI may fail to log in: its keys were left out. */
async function noteWithheldKeys({ ticket, env, directory }: ConnectedRun): Promise<void> {
  const allowed = allowedEnvironment(env, ticket.passEnvironment)
  const programs = programNames(ticket.harness, ticket.args, env['PATH'])
  for (const withheld of withheldKeys(programs, allowed))
    await noteInLog(directory.log, withheldText(withheld, ticket.agent))
}

/** Node flags that save 3 of the 25 MB of a process that runs as long as its agent. */
const THRIFTY = ['--single-threaded-gc', '--v8-pool-size=1', '--max-semi-space-size=1']

/** The command that starts the program `name`, which is in the same folder as this program. */
const beside = (name: string, flags: readonly string[] = []): readonly string[] => [
  process.execPath,
  ...flags,
  join(dirname(process.argv[1] ?? ''), name),
]

interface FoundSkills {
  readonly skills: readonly RunSkill[]
  readonly forBriefing: readonly BriefingSkill[]
}

/** The skills of the run. Most runs have no skills, so their code is loaded only when needed. */
async function skillsOf(
  { store, ticket, task, run }: ConnectedRun,
  { workspace, harness, signal }: { workspace: string; harness: Harness; signal: AbortSignal },
): Promise<FoundSkills> {
  const role = run.phase === 'review' ? 'review' : 'work'
  const board = role === 'review' ? await retryUntilAvailable(() => store.board(ticket.board), { signal }) : null
  const ofReviews = board?.settings.reviewSkills ?? []
  const requested = requestedSkills({ task, role, ofAgent: ticket.skills, ofReviews })
  if (requested.required.length + requested.optional.length === 0) return { skills: [], forBriefing: [] }
  const { findRunSkills, briefingSkills } = await import('../agents/skills/run-skills.ts')
  const found = await findRunSkills({ home: ticket.home, requested, place: task.workspace, workspace })
  if (found.missing !== null) {
    const { missingText } = await import('../agents/skills/missing-skills.ts')
    // The skill existed at the claim, so its absence is not a failure of the agent. The next pass of the dispatcher
    // reports the missing skill.
    throw new BoardError('skill_not_found', missingText(found.missing))
  }
  return { skills: found.skills, forBriefing: briefingSkills(found, harness.nativeSkill?.bind(harness)) }
}

const NO_BRIEFING: Briefing = { text: '', resumed: '', answeredAt: null, files: [], snapshotFolders: [] }

const briefingOf = (
  { store, ticket, directory, task: card, run }: ConnectedRun,
  branch: string | null,
  skills: readonly BriefingSkill[],
): Promise<Briefing> => {
  const task = { ...card, ...(branch === null ? {} : { branch }), checks: [...requiredChecks(card, run)] }
  const { home, agent, instruction, completesOnExit, tools } = ticket
  const agentFile = { instruction, tools, onExit: completesOnExit ? 'complete' : 'verdict' } as const
  const role = run.phase === 'review' ? 'review' : 'work'
  return briefCard(store, { home, machine: run.machine, task, role, agent, agentFile, skills, directory })
}

export const startAgent = (request: StartRequest): Promise<StartedProcess> => startDetached(request).catch(cannotStart)
