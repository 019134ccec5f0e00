/** Everything that a worker is told about its card, put together. */
import { join } from 'node:path'
import { inHome } from '../config/home.ts'
import { renderBriefing } from '../core/briefing.ts'
import type { BriefingInput, BriefingParent, BriefingSkill } from '../core/briefing/briefing-input.ts'
import { BRIEFING_RECENT_WORK } from '../core/briefing/caps.ts'
import type { Store, TaskView } from '../storage/store.ts'
import { listSnapshots, snapshotPlace } from '../workspaces/snapshots.ts'
import { workspacePath } from '../workspaces/workspace.ts'
import type { Place } from '../workspaces/workspace.ts'
import type { Agent } from './agent.ts'
import { WHOLE_BOARD } from './board-role.ts'
import { readParents } from './parents.ts'

export interface Briefed {
  readonly home: string
  readonly task: TaskView
  readonly role: BriefingInput['role']
  /** Who will read it. */
  readonly agent: string | null
  /** What its file says to it and of it; absent where that is not known. */
  readonly standing?: Pick<Agent, 'instruction' | 'onExit' | 'tools'>
  readonly skills?: readonly BriefingSkill[]
}

export async function briefCard(store: Store, briefed: Briefed): Promise<string> {
  const { home, task, role, agent, standing, skills = [] } = briefed
  const { board, id } = task
  const [now, attachments, runs, parents, recentWork, comments, snapshotPath] = await Promise.all([
    store.now(),
    store.attachments(board, id),
    store.runs(board, id),
    readParents(store, home, task).then((found) => Promise.all(found.map((parent) => withCopy(home, board, parent)))),
    agent === null ? [] : store.recentWork(board, agent, { except: id, limit: BRIEFING_RECENT_WORK }),
    store.comments(board, id),
    copyOf({ home, board, task: id }),
  ])
  const folder = inHome.attachments(home, board)
  const briefing = renderBriefing({
    role,
    ...(standing === undefined ? {} : { onExit: standing.onExit, steers: standing.tools.includes(WHOLE_BOARD) }),
    now,
    task,
    agent,
    workspacePath: workspacePath(task.workspace, { home, board, task: id }) ?? task.workspace.path,
    skills,
    snapshotPath,
    attachments: attachments.map((file) => ({ ...file, path: join(folder, file.storedPath) })),
    runs,
    parents,
    recentWork,
    comments,
  })
  return standing === undefined || standing.instruction === '' ? briefing : `${standing.instruction}\n\n${briefing}`
}

/** The newest copy of a workspace. One that cannot be read is no reason not to start. */
async function copyOf(place: Place): Promise<string | null> {
  const newest = (await listSnapshots(place).catch(() => [])).at(-1)
  return newest === undefined ? null : snapshotPlace(newest)
}

/** What was swept before this card came to read it. */
const withCopy = async (home: string, board: string, parent: BriefingParent): Promise<BriefingParent> =>
  parent.task.workspace.state === 'gone'
    ? { ...parent, snapshotPath: await copyOf({ home, board, task: parent.task.id }) }
    : parent
