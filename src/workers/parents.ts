/** What a worker is told of the cards before its own: where their files are and what they said. */
import { join } from 'node:path'
import { inHome } from '../config/home.ts'
import type { TaskId } from '../core/ids.ts'
import type { Store, TaskView } from '../storage/store.ts'

export interface ParentNote {
  readonly id: TaskId
  readonly title: string
  readonly workspace: string | null
  readonly artifacts: readonly string[]
  readonly summary: string | null
}

/** What fits into a variable beside everything else a process is started with. */
export const PARENTS_BYTES = 32 * 1024

export async function noteParents(store: Store, home: string, task: TaskView): Promise<readonly ParentNote[]> {
  const notes = await Promise.all(task.parents.map((id) => noteParent(store, home, { board: task.board, id })))
  return notes.filter((note) => note !== null)
}

async function noteParent(
  store: Store,
  home: string,
  { board, id }: { board: string; id: TaskId },
): Promise<ParentNote | null> {
  const [parent, runs, attachments] = await Promise.all([
    store.task(board, id),
    store.runs(board, id),
    store.attachments(board, id),
  ])
  if (parent === null) return null
  const finished = runs.findLast((run) => run.outcome === 'completed')
  return {
    id,
    title: parent.title,
    workspace: parent.workspace.path,
    artifacts: attachments.map(({ storedPath }) => join(inHome.attachments(home, board), storedPath)),
    summary: finished?.summary ?? parent.result,
  }
}

/** As many notes as fit, whole; their summaries go before the notes themselves do. */
export function parentsVariable(notes: readonly ParentNote[], limit = PARENTS_BYTES): string {
  const fits = (some: readonly ParentNote[]): string | null => {
    const text = JSON.stringify(some)
    return Buffer.byteLength(text) <= limit ? text : null
  }
  const all = fits(notes)
  if (all !== null) return all
  const bare = notes.map((note) => ({ ...note, summary: null }))
  for (let count = bare.length; count > 0; count -= 1) {
    const text = fits(bare.slice(0, count))
    if (text !== null) return text
  }
  return '[]'
}
