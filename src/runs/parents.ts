/** Collects the results and files of a card's parents for its worker. */
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

/** The maximum size of the parents' results, because they must fit into the environment of a process. */
export const PARENTS_BYTES = 32 * 1024

/**
 * A data folder and its machine. Results are left out if their paths do not exist there. `machine` is null if it is
 * unknown.
 */
export interface LocalHome {
  readonly home: string
  readonly machine: string | null
}

export async function noteParents(
  store: Pick<Store, 'handOffs'>,
  local: LocalHome,
  { board, id }: Pick<TaskView, 'board' | 'id'>,
): Promise<readonly ParentNote[]> {
  const parents = await readParents(store, local, { board, id })
  return parents.map(({ task, summary, artifacts }) => ({
    id: task.id,
    title: task.title,
    workspace: stillExists(task.workspace) ? task.workspace.path : null,
    artifacts,
    summary: summary ?? task.result,
  }))
}

const stillExists = ({ state }: Workspace): boolean => state === 'live' || state === 'kept'

/** Reads the parents' results, with the paths that exist on this machine. */
export async function readParents(
  store: Pick<Store, 'handOffs'>,
  { home, machine }: LocalHome,
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

/**
 * Returns the path if the file is on this machine. Machines that share a store have separate data folders, and each
 * folder has only the files that were attached on that machine.
 */
export const pathIfHere = async (path: string): Promise<string | null> =>
  (await stat(path).catch(() => null)) === null ? null : path

const isNotNull = (path: string | null): path is string => path !== null

/** The folders of the parents that exist on this machine, in the order of the parents, within the limit. */
export function parentFolders(notes: readonly ParentNote[], limit = PARENTS_BYTES): readonly string[] {
  let bytes = 0
  return notes.flatMap(({ workspace }) => {
    if (workspace === null) return []
    bytes += Buffer.byteLength(workspace) + 1
    return bytes > limit ? [] : [workspace]
  })
}

/**
 * The parents' results as JSON, within the limit. If the JSON is too long, all summaries are dropped first, then
 * parents from the end of the list.
 */
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
