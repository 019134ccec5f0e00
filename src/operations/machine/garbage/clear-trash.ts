import { join } from 'node:path'
import { inHome } from '../../../config/home.ts'
import type { Board } from '../../../core/board.ts'
import type { TaskId } from '../../../core/ids.ts'
import type { DeletedCard } from '../../../storage/store.ts'
import { diskUsage, moveAside, removeEntry } from '../../../workspaces/sweep/remove-entry.ts'
import { moveToTrash, removeTrashed } from '../../../workspaces/sweep/remove-folder.ts'
import { findFolder } from '../../../workspaces/managed-folder.ts'
import type { GarbageReport } from '../views.ts'
import { tryOn } from './round.ts'
import type { Round } from './round.ts'
import { systemFault } from '../../../util/system-words.ts'

type Cleared = GarbageReport['trash'][number]

/** A folder of the home and an entry in it. */
interface Spot {
  readonly folder: string
  readonly name: string
}

/** Cards whose time in the trash is over, for good: their rows, then their files. */
export async function clearTrash(round: Round): Promise<Cleared[]> {
  const cleared: Cleared[] = []
  for (const board of round.boards) {
    const due = await round.store.deletedBefore(board.slug, round.now - board.settings.trashMs)
    for (const card of due) {
      const gone = await clearCard(round, board, card)
      if (gone !== null) cleared.push(gone)
    }
  }
  return cleared
}

async function clearCard(round: Round, { slug }: Board, card: DeletedCard): Promise<Cleared | null> {
  const { store, home, actor, apply, left } = round
  const { id, title } = card
  const path = join(inHome.attachments(home, slug), id)
  try {
    const own = await spotsOf(round, slug, card)
    const logs = await logsOf(round, slug, card)
    const workspace = hasWorkspace(card) ? await findFolder(home, 'boards', slug, 'workspaces', id) : null
    const child = own.length === 0 && workspace === null ? null : await store.unfinishedChild(slug, id)
    if (child !== null) {
      const [spot] = own
      left.push({
        path: workspace ?? (spot === undefined ? path : join(spot.folder, spot.name)),
        reason: `${child} is not finished and may need the files of ${id}.`,
      })
      return null
    }
    const spots = [...own, ...logs]
    let bytes = hasWorkspace(card) ? await diskUsage(join(inHome.workspaces(home, slug), id)) : 0
    for (const { folder, name } of spots) bytes += await diskUsage(join(folder, name))
    if (apply) {
      const outcome = await store.decide({ verb: 'purge', board: slug, actor, input: { task: id } })
      // Somebody brought it back meanwhile.
      if (!outcome.ok) return null
      for (const { folder, name } of spots)
        await tryOn(round, join(folder, name), async () => removeEntry(await moveAside(folder, name)))
      if (hasWorkspace(card))
        await tryOn(round, join(inHome.workspaces(home, slug), id), () => dropWorkspace(round, slug, id))
    }
    return { id, board: slug, title, bytes }
  } catch (error) {
    left.push({ path, reason: systemFault(error) })
    return null
  }
}

const hasWorkspace = ({ workspace }: DeletedCard): boolean => workspace.kind === 'scratch' && workspace.state !== 'kept'

/** Nobody has wanted it back: it goes as it is, without a copy. */
async function dropWorkspace({ home, protectedPaths }: Round, board: string, task: TaskId): Promise<void> {
  const trashed = await moveToTrash({ home, board, task }, { protectedPaths: await protectedPaths() })
  const reason = trashed === null ? null : await removeTrashed(trashed)
  if (reason !== null) throw new Error(reason)
}

/** What the card itself has on the disk beside its workspace: its files, and copies of earlier workspaces. */
const spotsOf = ({ home }: Round, board: string, { id }: DeletedCard): Promise<Spot[]> =>
  present(
    home,
    ['attachments', 'snapshots'].map((kind) => ['boards', board, kind, id]),
  )

async function logsOf({ store, home }: Round, board: string, { id }: DeletedCard): Promise<Spot[]> {
  const runs = await store.runs(board, id)
  return present(
    home,
    runs.map((run) => ['runs', run.id]),
  )
}

async function present(home: string, places: readonly string[][]): Promise<Spot[]> {
  const spots: Spot[] = []
  for (const steps of places) {
    const found = await findFolder(home, ...steps)
    if (found !== null) spots.push({ folder: join(found, '..'), name: steps.at(-1) ?? '' })
  }
  return spots
}
