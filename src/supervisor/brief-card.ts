/** Builds the briefing of a card from the store, its parents' results and its files. */
import { isAbsolute, join } from 'node:path'
import { inHome } from '../config/home.ts'
import { renderBriefing, renderResumed } from '../core/briefing/render-briefing.ts'
import { areAnswersCut, wholeAnswers } from '../core/briefing/answers.ts'
import type { BriefingInput, BriefingParent, BriefingSwarm, BriefingSkill } from '../core/briefing/briefing-input.ts'
import { BRIEFING_COMMENTS_READ, BRIEFING_RECENT_WORK } from '../core/briefing/caps.ts'
import { isBodyCut } from '../core/briefing/heading.ts'
import { lastAnswerAt } from '../core/briefing/rounds.ts'
import type { TaskId } from '../core/ids.ts'
import type { Store, TaskView } from '../storage/store.ts'
import { listSnapshots, snapshotPlace } from '../workspaces/files/snapshots.ts'
import { workspacePath } from '../workspaces/workspace.ts'
import type { CardLocation } from '../workspaces/workspace.ts'
import type { Agent } from '../agents/agent.ts'
import { WHOLE_BOARD } from '../core/vocabulary.ts'
import { pathIfHere, readParents } from '../runs/parents.ts'
import type { RunDirectory } from '../runs/files/run-directory.ts'

export interface BriefingRequest {
  readonly home: string
  /**
   * The id of the agent's machine. Absent if the machine is unknown. The briefing leaves out files on other machines.
   */
  readonly machine?: string | null
  readonly task: TaskView
  readonly role: BriefingInput['role']
  readonly agent: string | null
  /** The settings from the agent's file. They are absent if the file is unknown. */
  readonly agentFile?: Pick<Agent, 'instruction' | 'onExit' | 'tools'>
  readonly skills?: readonly BriefingSkill[]
  /** The files in the run directory that the agent may read. They are absent if the briefing is shown without a run. */
  readonly directory?: Pick<RunDirectory, 'bodyText' | 'answersText'>
}

export interface Briefing {
  readonly text: string
  /** The text for an agent that resumes the session of its earlier run. */
  readonly resumed: string
  /** The time of the last answer on the card. Null means that no person has answered. */
  readonly answeredAt: number | null
  /** Long texts that the briefing shortens, in full. The caller writes them to files before the agent starts. */
  readonly files: readonly { readonly path: string; readonly content: string }[]
  /** The folders of the snapshots that the briefing names. */
  readonly snapshotFolders: readonly string[]
}

export async function briefCard(store: Store, request: BriefingRequest): Promise<Briefing> {
  const { home, agentFile, directory } = request
  const input = await readBriefingInput(store, request)
  const files = directory === undefined ? [] : wholeTexts(input, directory)
  const withFiles = { ...input, files: attachmentPaths(files, directory) }
  return {
    text: withInstruction(renderBriefing(withFiles), agentFile),
    resumed: renderResumed(withFiles),
    answeredAt: lastAnswerAt(input),
    files,
    snapshotFolders: snapshotFoldersOf(input, home),
  }
}

async function readBriefingInput(store: Store, request: BriefingRequest): Promise<BriefingInput> {
  const { home, task, role, agent, agentFile, skills = [] } = request
  const { board, id } = task
  const { now, attachments, runs, parents, recentWork, page, answered, snapshotPath, swarm } = await readHistory(
    store,
    request,
  )
  return {
    role,
    ...(agentFile === undefined
      ? {}
      : { onExit: agentFile.onExit, isOrchestrator: agentFile.tools.includes(WHOLE_BOARD) }),
    now,
    task,
    agent,
    workspacePath: workspacePath(task.workspace, { home, board, task: id }) ?? task.workspace.path,
    skills,
    swarm,
    snapshotPath,
    attachments: await withPaths(attachments, inHome.attachments(home, board)),
    runs,
    parents,
    recentWork,
    comments: page?.comments ?? [],
    earlierComments: page?.earlier ?? 0,
    answers: answered.answers,
    earlierAnswers: answered.earlier,
  }
}

async function readHistory(store: Store, { home, machine = null, task, agent }: BriefingRequest) {
  const { board, id } = task
  const [now, attachments, runs, parents, recentWork, page, answered, snapshotPath, swarm] = await Promise.all([
    store.now(),
    store.attachments(board, id),
    store.runs(board, id),
    readParents(store, { home, machine }, task).then((found) =>
      Promise.all(found.map((parent) => withSnapshot(home, board, parent))),
    ),
    agent === null ? [] : store.recentWork(board, agent, { except: id, limit: BRIEFING_RECENT_WORK }),
    store.comments(board, id, { limit: BRIEFING_COMMENTS_READ }),
    store.answers(board, id),
    newestSnapshot({ home, board, task: id }),
    task.swarm === null ? null : readSwarm(store, board, task.swarm),
  ])
  return { now, attachments, runs, parents, recentWork, page, answered, snapshotPath, swarm }
}

/** The goal is the body of the root. If the root was removed for good, its members still have their own texts. */
async function readSwarm(store: Store, board: string, id: TaskId): Promise<BriefingSwarm> {
  const [root, members, entries] = await Promise.all([
    store.task(board, id, { deleted: true }),
    store.swarmMembers(id),
    store.blackboard(id),
  ])
  return { goal: root?.body ?? '', members, entries }
}

/** Adds the path of each attachment, or null if the file is on another machine. */
const withPaths = (
  attachments: Awaited<ReturnType<Store['attachments']>>,
  folder: string,
): Promise<BriefingInput['attachments']> =>
  Promise.all(attachments.map(async (file) => ({ ...file, path: await pathIfHere(join(folder, file.storedPath)) })))

/** The paths of attachments that the briefing names. */
function attachmentPaths(
  files: Briefing['files'],
  directory: BriefingRequest['directory'],
): NonNullable<BriefingInput['files']> {
  const ifWritten = (path: string | undefined): string | null =>
    files.some((file) => file.path === path) ? (path ?? null) : null
  return { body: ifWritten(directory?.bodyText), answers: ifWritten(directory?.answersText) }
}

const withInstruction = (briefing: string, agentFile: BriefingRequest['agentFile']): string =>
  agentFile === undefined || agentFile.instruction === '' ? briefing : `${agentFile.instruction}\n\n${briefing}`

/** Long texts that the briefing shortens, in full, as files of the run. */
const wholeTexts = (
  input: BriefingInput,
  { bodyText, answersText }: Pick<RunDirectory, 'bodyText' | 'answersText'>,
): Briefing['files'] => [
  ...(isBodyCut(input.task) ? [{ path: bodyText, content: input.task.body ?? '' }] : []),
  ...(areAnswersCut(input) ? [{ path: answersText, content: `${wholeAnswers(input)}\n` }] : []),
]

/** The folders of snapshots. A snapshot that is a ref in a repository has no folder. */
const snapshotFoldersOf = ({ task, snapshotPath, parents }: BriefingInput, home: string): readonly string[] =>
  [{ id: task.id, path: snapshotPath }, ...parents.map((parent) => ({ id: parent.task.id, path: parent.snapshotPath }))]
    .filter(({ path }) => path != null && isAbsolute(path))
    .map(({ id }) => join(inHome.snapshots(home, task.board), id))

/** The newest snapshot of a workspace. Null means that there is no snapshot, or that it cannot be read. */
async function newestSnapshot(place: CardLocation): Promise<string | null> {
  const newest = (await listSnapshots(place).catch(() => [])).at(-1)
  return newest === undefined ? null : snapshotPlace(newest)
}

/** Adds the snapshot of a parent whose workspace was removed. */
const withSnapshot = async (home: string, board: string, parent: BriefingParent): Promise<BriefingParent> =>
  parent.task.workspace.state === 'gone'
    ? { ...parent, snapshotPath: await newestSnapshot({ home, board, task: parent.task.id }) }
    : parent
