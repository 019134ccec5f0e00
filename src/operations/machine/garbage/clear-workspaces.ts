import { join } from 'node:path'
import { isTaskId } from '../../../core/ids.ts'
import type { TaskId } from '../../../core/ids.ts'
import { diskUsage } from '../../../workspaces/sweep/remove-entry.ts'
import { finishInterruptedSweeps } from '../../../workspaces/sweep/finish-interrupted-sweeps.ts'
import type { InterruptedSweeps } from '../../../workspaces/sweep/finish-interrupted-sweeps.ts'
import { listTrash } from '../../../workspaces/sweep/remove-folder.ts'
import { KeptSizeLimit } from '../../../workspaces/sweep/kept-size-limit.ts'
import { NO_COPY, finishTrash, sweepWorkspace, worktreeReason } from '../../../workspaces/sweep/sweep-workspace.ts'
import { TRASH } from '../../../workspaces/workspaces-root.ts'
import { isUnlanded } from '../../../workspaces/git/worktree-changes.ts'
import type { GarbageReport } from '../views.ts'
import { entriesOf, tryOn } from './round.ts'
import type { Round } from './round.ts'

/** How long to wait for a dispatcher that is removing the same folder. */
const WAIT_MS = 60_000

type Cleared = GarbageReport['workspaces'][number]

/** Folders that the board made for cards which are finished, and whose children are too. */
export async function clearWorkspaces(round: Round): Promise<Cleared[]> {
  const cleared: Cleared[] = []
  const beyond = await beyondLimit(round)
  for (const { slug } of round.boards) {
    const { folder, entries } = await entriesOf(round, 'boards', slug, 'workspaces')
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    cleared.push(...(await clearBoard(round, slug, { folder, names, beyond })))
    if (round.apply) await tryOn(round, folder, () => finishInterruptedSweeps(lostIn(round, slug, names)))
    if (names.includes(TRASH)) await tryOn(round, join(folder, TRASH), () => emptyTrash(round, slug, cleared))
  }
  return cleared
}

/** The oldest scratch folders beyond the size limit. */
async function beyondLimit({ store, home, boards, staysBytes }: Round): Promise<readonly TaskId[]> {
  const asked = { home, boards: boards.map(({ slug }) => slug), limitBytes: staysBytes }
  return (await new KeptSizeLimit().exceeding(store, asked)).map(({ id }) => id)
}

const lostIn = (round: Round, board: string, there: readonly string[]): InterruptedSweeps => ({
  sweeper: round,
  board,
  machine: round.machine,
  there,
  before: round.now - round.staysMs,
})

async function clearBoard(
  round: Round,
  board: string,
  { folder, names, beyond }: { folder: string; names: readonly string[]; beyond: readonly TaskId[] },
): Promise<Cleared[]> {
  const { store, home, left, apply, now, staysMs } = round
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
      const stays = await worktreeReason(task, { home, board, task: id })
      if (stays === null) cleared.push({ path, bytes, ...NO_COPY })
      else left.push({ path, reason: keptReason(id, stays) })
      continue
    }
    await tryOn(round, path, async () => {
      const { state, reason, snapshot, uncopied } = await sweepWorkspace(round, { board, id }, { waitMs: WAIT_MS })
      if (state === 'gone') cleared.push({ path, bytes, snapshot, uncopied })
      if (reason !== null) left.push({ path, reason: state === 'kept' ? keptReason(id, reason) : reason })
    })
  }
  return cleared
}

const keptReason = (id: string, why: string): string =>
  `${why}. ${isUnlanded(why) ? `To land it: muster land ${id}. ` : ''}To delete it: muster gc --discard ${id} --yes`

async function emptyTrash(round: Round, board: string, cleared: Cleared[]): Promise<void> {
  const found = await listTrash(round.home, board)
  for (const { trash, name } of found)
    cleared.push({ path: join(trash, name), bytes: await diskUsage(join(trash, name)), ...NO_COPY })
  if (!round.apply) return
  for (const reason of await finishTrash(round, board, found.length))
    round.left.push({ path: join(round.home, 'boards', board, 'workspaces', TRASH), reason })
}
