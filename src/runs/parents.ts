/** The parents of a card for its worker: their files and results. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { inHome } from '../config/home.ts'
import type { BriefingParent } from '../core/briefing/briefing-input.ts'
import type { TaskId } from '../core/ids.ts'
import type { Workspace } from '../core/task.ts'
import { isElsewhere } from '../core/gates/workspace-gates.ts'
import type { Store, TaskView } from '../storage/store.ts'

export interface ParentNote {
  readonly id: TaskId
  readonly title: string
  readonly workspace: string | null
  readonly artifacts: readonly string[]
  readonly summary: string | null
}

/** Fits into the environment of a process beside its other variables. */
export const PARENTS_BYTES = 32 * 1024

/** The machine and data folder for which paths must be valid. */
export interface Here {
  readonly home: string
  readonly machine: string | null
}

export async function noteParents(
  store: Pick<Store, 'handOffs'>,
  here: Here,
  { board, id }: Pick<TaskView, 'board' | 'id'>,
): Promise<readonly ParentNote[]> {
  const parents = await readParents(store, here, { board, id })
  return parents.map(({ task, summary, artifacts }) => ({
    id: task.id,
    title: task.title,
    workspace: isThere(task.workspace) ? task.workspace.path : null,
    artifacts,
    summary: summary ?? task.result,
  }))
}

/** Whether the workspace still exists. */
const isThere = ({ state }: Workspace): boolean => state === 'live' || state === 'kept'

/** The parents' results, with paths that exist on this machine. */
export async function readParents(
  store: Pick<Store, 'handOffs'>,
  { home, machine }: Here,
  { board, id }: Pick<TaskView, 'board' | 'id'>,
): Promise<readonly BriefingParent[]> {
  const folder = inHome.attachments(home, board)
  return Promise.all(
    (await store.handOffs(board, id)).map(async ({ task, summary, storedPaths }) => ({
      task: isElsewhere(task.workspace, machine) ? { ...task, workspace: { ...task.workspace, path: null } } : task,
      summary,
      artifacts: (await Promise.all(storedPaths.map((path) => pathIfHere(join(folder, path))))).filter(isNotNull),
    })),
  )
}

/** Machines that share a store have separate data folders, each with the files that were attached there. */
export const pathIfHere = async (path: string): Promise<string | null> =>
  (await stat(path).catch(() => null)) === null ? null : path

const isNotNull = (path: string | null): path is string => path !== null

/** As JSON within the limit: first all summaries are dropped, then the last parents. */
export function parentsVariable(notes: readonly ParentNote[], limit = PARENTS_BYTES): string {
  const all = JSON.stringify(notes)
  if (Buffer.byteLength(all) <= limit) return all
  const shown: string[] = []
  let bytes = Buffer.byteLength('[]')
  for (const note of notes) {
    const text = JSON.stringify({ ...note, summary: null })
    bytes += Buffer.byteLength(text) + (shown.length > 0 ? 1 : 0)
    if (bytes > limit) break
    shown.push(text)
  }
  return `[${shown.join(',')}]`
}
