import { join } from 'node:path'
import { isTaskId } from '../../../core/ids.ts'
import type { TaskId } from '../../../core/ids.ts'
import { diskUsage } from '../../../workspaces/sweep/remove-entry.ts'
import { finishInterruptedSweeps } from '../../../workspaces/sweep/finish-interrupted-sweeps.ts'
import type { InterruptedSweeps } from '../../../workspaces/sweep/finish-interrupted-sweeps.ts'
import { listTrash } from '../../../workspaces/sweep/remove-folder.ts'
import { KeptSizeLimit } from '../../../workspaces/sweep/kept-size-limit.ts'
import { NO_COPY, finishTrash, sweepWorkspace, reasonToKeep } from '../../../workspaces/sweep/sweep-workspace.ts'
import { TRASH } from '../../../workspaces/workspaces-root.ts'
import { isUnlanded } from '../../../workspaces/git/worktree-changes.ts'
import type { GarbageReport } from '../views.ts'
import { entriesInHome, keepOnFailure } from './gc-context.ts'
import type { GcContext } from './gc-context.ts'

/** The time to wait for a dispatcher that is removing the same folder as this command. */
const WAIT_MS = 60_000

type Cleared = GarbageReport['workspaces'][number]

/** Deletes the workspaces of finished cards whose children are finished too. */
export async function clearWorkspaces(gc: GcContext): Promise<Cleared[]> {
  const cleared: Cleared[] = []
  const beyond = await beyondLimit(gc)
  for (const { slug } of gc.boards) {
    const { folder, entries } = await entriesInHome(gc, 'boards', slug, 'workspaces')
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    cleared.push(...(await clearBoard(gc, slug, { folder, names, beyond })))
    if (gc.apply) await keepOnFailure(gc, folder, () => finishInterruptedSweeps(interruptedIn(gc, slug, names)))
    if (names.includes(TRASH)) await keepOnFailure(gc, join(folder, TRASH), () => emptyTrash(gc, slug, cleared))
  }
  return cleared
}

/** The oldest scratch folders, up to the size by which all of them exceed the limit. */
async function beyondLimit({ store, home, boards, staysBytes }: GcContext): Promise<readonly TaskId[]> {
  const asked = { home, boards: boards.map(({ slug }) => slug), limitBytes: staysBytes }
  return (await new KeptSizeLimit().exceeding(store, asked)).map(({ id }) => id)
}

const interruptedIn = (gc: GcContext, board: string, existing: readonly string[]): InterruptedSweeps => ({
  sweeper: gc,
  board,
  machine: gc.machine,
  existing,
  before: gc.now - gc.staysMs,
})

async function clearBoard(
  gc: GcContext,
  board: string,
  { folder, names, beyond }: { folder: string; names: readonly string[]; beyond: readonly TaskId[] },
): Promise<Cleared[]> {
  const { store, home, left, apply, now, staysMs } = gc
  const known = await store.tasksById(names.filter(isTaskId))
  const due = new Set([...(await store.sweepable(board, names.filter(isTaskId), now - staysMs)), ...beyond])
  const cleared: Cleared[] = []
  for (const task of known.filter((one) => one.board === board)) {
    const { id, workspace } = task
    const path = join(folder, id)
    if (!due.has(id)) {
      if (workspace.state === 'kept') left.push({ path, reason: keptReason(id, 'it was kept') })
      continue
    }
    const bytes = await diskUsage(path)
    if (!apply) {
      const stays = await reasonToKeep(task, { home, board, task: id })
      if (stays === null) cleared.push({ path, bytes, ...NO_COPY })
      else left.push({ path, reason: keptReason(id, stays) })
      continue
    }
    await keepOnFailure(gc, path, async () => {
      const { state, reason, snapshot, uncopied } = await sweepWorkspace(gc, { board, id }, { waitMs: WAIT_MS })
      if (state === 'gone') cleared.push({ path, bytes, snapshot, uncopied })
      if (reason !== null) left.push({ path, reason: state === 'kept' ? keptReason(id, reason) : reason })
    })
  }
  return cleared
}

const keptReason = (id: string, why: string): string =>
  `${why}. ${isUnlanded(why) ? `To land it: muster land ${id}. ` : ''}To delete it: muster gc --discard ${id} --yes`

async function emptyTrash(gc: GcContext, board: string, cleared: Cleared[]): Promise<void> {
  const found = await listTrash(gc.home, board)
  for (const { trash, name } of found)
    cleared.push({ path: join(trash, name), bytes: await diskUsage(join(trash, name)), ...NO_COPY })
  if (!gc.apply) return
  for (const reason of await finishTrash(gc, board, found.length))
    gc.left.push({ path: join(gc.home, 'boards', board, 'workspaces', TRASH), reason })
}
