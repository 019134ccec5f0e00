/** Builds the briefing of a card from the store, its parents' results and its files. */
import { isAbsolute, join } from 'node:path'
import { inHome } from '../config/home.ts'
import { renderBriefing, renderResumed } from '../core/briefing/render-briefing.ts'
import { areAnswersCut, wholeAnswers } from '../core/briefing/answers.ts'
import type { BriefingInput, BriefingParent, BriefingSkill } from '../core/briefing/briefing-input.ts'
import { BRIEFING_COMMENTS_READ, BRIEFING_RECENT_WORK } from '../core/briefing/caps.ts'
import { isBodyCut } from '../core/briefing/heading.ts'
import { lastAnswerAt } from '../core/briefing/rounds.ts'
import type { Store, TaskView } from '../storage/store.ts'
import { listSnapshots, snapshotPlace } from '../workspaces/files/snapshots.ts'
import { workspacePath } from '../workspaces/workspace.ts'
import type { CardLocation } from '../workspaces/workspace.ts'
import type { Agent } from '../agents/agent.ts'
import { WHOLE_BOARD } from '../core/vocabulary.ts'
import { pathIfHere, readParents } from '../runs/parents.ts'
import type { RunDirectory } from '../runs/files/run-directory.ts'

export interface Briefed {
  readonly home: string
  /** The machine of the agent: files on other machines are left out. Absent: unknown. */
  readonly machine?: string | null
  readonly task: TaskView
  readonly role: BriefingInput['role']
  /** The agent that reads the briefing. */
  readonly agent: string | null
  /** From the agent's file; absent if unknown. */
  readonly standing?: Pick<Agent, 'instruction' | 'onExit' | 'tools'>
  readonly skills?: readonly BriefingSkill[]
  /** The files of the run for its agent. Absent: no run exists yet. */
  readonly directory?: Pick<RunDirectory, 'bodyText' | 'answersText'>
}

export interface Briefing {
  readonly text: string
  /** The text for an agent that resumes the session of its earlier run. */
  readonly resumed: string
  /** When the card was last answered; null: never. */
  readonly answeredAt: number | null
  /** The full versions of texts that the briefing cuts. The caller writes them before the agent starts. */
  readonly files: readonly { readonly path: string; readonly content: string }[]
  /** The folders of the snapshots that the briefing names. */
  readonly copyFolders: readonly string[]
}

export async function briefCard(store: Store, briefed: Briefed): Promise<Briefing> {
  const { home, machine = null, task, role, agent, standing, skills = [], directory } = briefed
  const { board, id } = task
  const [now, attachments, runs, parents, recentWork, page, given, snapshotPath] = await Promise.all([
    store.now(),
    store.attachments(board, id),
    store.runs(board, id),
    readParents(store, { home, machine }, task).then((found) =>
      Promise.all(found.map((parent) => withCopy(home, board, parent))),
    ),
    agent === null ? [] : store.recentWork(board, agent, { except: id, limit: BRIEFING_RECENT_WORK }),
    store.comments(board, id, { limit: BRIEFING_COMMENTS_READ }),
    store.answers(board, id),
    copyOf({ home, board, task: id }),
  ])
  const folder = inHome.attachments(home, board)
  const input: BriefingInput = {
    role,
    ...(standing === undefined ? {} : { onExit: standing.onExit, steers: standing.tools.includes(WHOLE_BOARD) }),
    now,
    task,
    agent,
    workspacePath: workspacePath(task.workspace, { home, board, task: id }) ?? task.workspace.path,
    skills,
    snapshotPath,
    attachments: await Promise.all(
      attachments.map(async (file) => ({ ...file, path: await pathIfHere(join(folder, file.storedPath)) })),
    ),
    runs,
    parents,
    recentWork,
    comments: page?.comments ?? [],
    earlierComments: page?.earlier ?? 0,
    answers: given.answers,
    earlierAnswers: given.earlier,
  }
  const files = directory === undefined ? [] : wholeTexts(input, directory)
  const pathOf = (path: string | undefined): string | null =>
    files.some((file) => file.path === path) ? (path ?? null) : null
  const named = { body: pathOf(directory?.bodyText), answers: pathOf(directory?.answersText) }
  const whole = { ...input, files: named }
  const briefing = renderBriefing(whole)
  const text =
    standing === undefined || standing.instruction === '' ? briefing : `${standing.instruction}\n\n${briefing}`
  return {
    text,
    resumed: renderResumed(whole),
    answeredAt: lastAnswerAt(input),
    files,
    copyFolders: foldersOfCopies(input, home),
  }
}

/** The full texts of what the briefing cuts, as files of the run. */
const wholeTexts = (
  input: BriefingInput,
  { bodyText, answersText }: Pick<RunDirectory, 'bodyText' | 'answersText'>,
): Briefing['files'] => [
  ...(isBodyCut(input.task) ? [{ path: bodyText, content: input.task.body ?? '' }] : []),
  ...(areAnswersCut(input) ? [{ path: answersText, content: `${wholeAnswers(input)}\n` }] : []),
]

/**
 * Derived from the ids of the cards. A snapshot in a repository is a ref, not a path.
 */
const foldersOfCopies = ({ task, snapshotPath, parents }: BriefingInput, home: string): readonly string[] =>
  [{ id: task.id, copy: snapshotPath }, ...parents.map((parent) => ({ id: parent.task.id, copy: parent.snapshotPath }))]
    .filter(({ copy }) => copy != null && isAbsolute(copy))
    .map(({ id }) => join(inHome.snapshots(home, task.board), id))

/** The newest snapshot of a workspace. If it cannot be read, the run starts without it. */
async function copyOf(place: CardLocation): Promise<string | null> {
  const newest = (await listSnapshots(place).catch(() => [])).at(-1)
  return newest === undefined ? null : snapshotPlace(newest)
}

/** A parent whose workspace was already swept is shown with its snapshot. */
const withCopy = async (home: string, board: string, parent: BriefingParent): Promise<BriefingParent> =>
  parent.task.workspace.state === 'gone'
    ? { ...parent, snapshotPath: await copyOf({ home, board, task: parent.task.id }) }
    : parent
