/** Starts the agent of a run, for its first turn or a later one: workspace, files, environment, wrapper. */
import { dirname, join } from 'node:path'
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
import { ACP_CLIENT, SHIM } from './start/library.ts'
import { noteInLog } from '../runs/log/log-note.ts'
import { noteParents, parentsVariable } from '../runs/parents.ts'
import { foldersHandedOver } from '../harnesses/readable-folders.ts'
import { writeWhole } from '../runs/files/run-directory.ts'
import { isShortage, retryUntilAvailable } from './retry.ts'
import { askedSkills } from '../agents/skills/asked-skills.ts'
import type { RunSkill } from '../harnesses/harness.ts'
import { startDetached } from '../processes/spawn.ts'
import type { StartRequest, Started } from '../processes/spawn.ts'
import { WRAPPER, wrapperArguments } from '../runs/wrapper.ts'
import { enterFolder } from '../workspaces/managed-folder.ts'
import { WorkspaceBusy } from '../workspaces/workspace-fault.ts'
import { enterWorkspace } from './workspace/enter-workspace.ts'
import { writeRunFiles } from './write-run-files.ts'
import type { ConnectedRun } from './supervised-run.ts'

/** The workspace or the agent of the card cannot be started. Any other failure is Muster's own. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
}

const cannotStart = (cause: unknown): never => {
  if (isShortage(cause) || cause instanceof WorkspaceBusy) throw cause
  throw new CannotStart(cause instanceof Error ? cause.message : String(cause), { cause })
}

/** How to start an agent, and the user's files to restore after it. */
export type AgentRequest = StartRequest & Pick<Launch, 'keeps'>

/** An agent that is ready to start, with what its later turns need. */
export interface PreparedAgent {
  readonly request: AgentRequest
  readonly harness: Harness
  readonly job: Job
  /** The text that replaces the briefing when the agent resumes an earlier session. */
  readonly resumed: string
  /** When the card was last answered; null: never. */
  readonly answeredAt: number | null
}

/** Prepares the workspace, the files and the environment. No process of the agent runs yet, so this may be aborted. */
export async function prepareAgent(owned: ConnectedRun, signal: AbortSignal): Promise<PreparedAgent> {
  const { store, ticket, directory, task } = owned
  const harness = await loadHarness(ticket.harness)
  if (harness === null) throw new BoardError('not_supported', `Harness ${ticket.harness} cannot be started here.`)
  // The commands may have been written after the claim checked for approval.
  if (harness.runsTheCard && !task.commandsApproved)
    throw new BoardError('gate_closed', `An agent wrote what ${ticket.agent} would run, and nobody has approved it.`)
  if (owned.run.attempt > 1) {
    await (await import('./workspace/restore-user-files.ts')).restoreUserFiles(owned, signal)
    await (await import('./workspace/archive-scratch.ts')).archiveScratch(owned, signal)
  }
  const { path: workspace, branch } = await enterWorkspace(owned, signal).catch(cannotStart)
  if (ticket.setup.length > 0)
    await (await import('./workspace/set-up.ts')).setUpForAgent(owned, workspace, signal).catch(cannotStart)
  const { skills, told } = await skillsOf(owned, { workspace, harness, signal })
  const brief = (): Promise<Briefing> => briefingOf(owned, branch, told)
  const {
    text: briefing,
    files,
    resumed,
    answeredAt,
    copyFolders,
  } = harness.readsBriefing ? await retryUntilAvailable(brief, { signal }) : NO_BRIEFING
  const parents = await retryUntilAvailable(
    () => noteParents(store, { home: ticket.home, machine: owned.run.machine }, task),
    {
      signal,
    },
  )
  const readable = harness.readsBriefing
    ? await retryUntilAvailable(() => readableBy(owned, { files, copyFolders, parents }), { signal })
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
  }
  return {
    ...keepsOf(launch),
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

/** The launch of a later turn; null if the harness cannot resume a session. */
export function launchResumed({ harness, job }: PreparedAgent, turn: number, said: Turn): Launch | null {
  return launchOf(() => harness.resume({ ...job, turn }, said))
}

/** The launch with the briefing, when the earlier session could not be resumed. */
export const launchAnew = ({ harness, job }: PreparedAgent, turn: number): Launch =>
  launchOf(() => harness.launch({ ...job, turn }))

/** The first turn's request with the launch and the number of this turn. */
export async function prepareTurn(
  { directory, fence }: ConnectedRun,
  { request }: PreparedAgent,
  { launch, turn }: { launch: Launch; turn: number },
): Promise<AgentRequest> {
  await writeRunFiles(directory, launch)
  const env = { ...request.env, MUSTER_TURN: String(turn), ...launch.env }
  return {
    ...request,
    ...keepsOf(launch),
    args: wrapperArguments(directory, fence, launch.argv),
    stdin: launch.stdin,
    env,
  }
}

const keepsOf = ({ keeps = [] }: Launch): Pick<Launch, 'keeps'> => ({ keeps })

function launchOf<L>(make: () => L): L {
  try {
    return make()
  } catch (error) {
    return cannotStart(error)
  }
}

async function readableBy(
  { ticket, directory }: ConnectedRun,
  { files, copyFolders, parents }: Pick<Briefing, 'files' | 'copyFolders'> & Pick<Ready, 'parents'>,
): Promise<readonly string[]> {
  const { home, board, task } = ticket
  // Made now, because some CLIs ignore folders that do not exist when they start.
  await enterFolder(home, 'boards', board, 'attachments', task)
  return foldersHandedOver({
    home,
    forAgent: files.length === 0 ? null : directory.forAgent,
    attachments: join(inHome.attachments(home, board), task),
    copyFolders,
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
  role: boardRole(ticket.tools, run.phase),
  path: env['PATH'],
  env: agentEnvironment(env, ticket),
})

/** Leaves out keys that the agent's CLI would send to the wrong host. */
function agentEnvironment(
  env: ConnectedRun['env'],
  { passEnvironment, harness, args }: ConnectedRun['ticket'],
): Job['env'] {
  const allowed = allowedEnvironment(env, passEnvironment)
  return withoutKeys(allowed, withheldKeys(programNames(harness, args, env['PATH']), allowed))
}

/** Explains in the log why the agent cannot log in. */
async function noteWithheldKeys({ ticket, env, directory }: ConnectedRun): Promise<void> {
  const allowed = allowedEnvironment(env, ticket.passEnvironment)
  const words = programNames(ticket.harness, ticket.args, env['PATH'])
  for (const withheld of withheldKeys(words, allowed))
    await noteInLog(directory.log, withheldText(withheld, ticket.agent))
}

/** Saves 3 of the 25 MB of a process that lives as long as its agent. */
const THRIFTY = ['--single-threaded-gc', '--v8-pool-size=1', '--max-semi-space-size=1']

/** A program in the same folder as this one. */
const beside = (name: string, flags: readonly string[] = []): readonly string[] => [
  process.execPath,
  ...flags,
  join(dirname(process.argv[1] ?? ''), name),
]

interface Skilled {
  readonly skills: readonly RunSkill[]
  readonly told: readonly BriefingSkill[]
}

/** Loaded on use: most runs have no skills. */
async function skillsOf(
  { store, ticket, task, run }: ConnectedRun,
  { workspace, harness, signal }: { workspace: string; harness: Harness; signal: AbortSignal },
): Promise<Skilled> {
  const role = run.phase === 'review' ? 'review' : 'work'
  const board = role === 'review' ? await retryUntilAvailable(() => store.board(ticket.board), { signal }) : null
  const reviewing = board?.settings.reviewSkills ?? []
  const asked = askedSkills({ task, role, standing: ticket.skills, reviewing })
  if (asked.names.length + asked.wished.length === 0) return { skills: [], told: [] }
  const { findRunSkills, briefingSkills } = await import('../agents/skills/run-skills.ts')
  const found = await findRunSkills({ home: ticket.home, asked, place: task.workspace, workspace })
  if (found.missing !== null) {
    const { missingText } = await import('../agents/skills/missing-skills.ts')
    // The skill existed when the card was claimed. Not the agent's failure: the next pass reports what is missing.
    throw new BoardError('skill_not_found', missingText(found.missing))
  }
  return { skills: found.skills, told: briefingSkills(found, harness.nativeSkill?.bind(harness)) }
}

const NO_BRIEFING: Briefing = { text: '', resumed: '', answeredAt: null, files: [], copyFolders: [] }

const briefingOf = (
  { store, ticket, directory, task: card, run }: ConnectedRun,
  branch: string | null,
  skills: readonly BriefingSkill[],
): Promise<Briefing> => {
  const task = { ...card, ...(branch === null ? {} : { branch }), checks: [...requiredChecks(card, run)] }
  const { home, agent, instruction, completesOnExit, tools } = ticket
  const standing = { instruction, tools, onExit: completesOnExit ? 'complete' : 'verdict' } as const
  const role = run.phase === 'review' ? 'review' : 'work'
  return briefCard(store, { home, machine: run.machine, task, role, agent, standing, skills, directory })
}

export const startAgent = (request: StartRequest): Promise<Started> => startDetached(request).catch(cannotStart)
