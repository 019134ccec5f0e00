import { join } from 'node:path'
import { inHome } from '../../../config/home.ts'
import type { Board } from '../../../core/board.ts'
import type { TaskId } from '../../../core/ids.ts'
import type { DeletedCard } from '../../../storage/store.ts'
import { diskUsage, moveAside, removeEntry } from '../../../workspaces/sweep/remove-entry.ts'
import { trashCardFolder, removeTrashed } from '../../../workspaces/sweep/remove-folder.ts'
import { findFolder } from '../../../workspaces/managed-folder.ts'
import type { GarbageReport } from '../views.ts'
import { keepOnFailure } from './gc-context.ts'
import type { GcContext } from './gc-context.ts'
import { systemReasonWithPath } from '../../../util/system-errors.ts'

type Cleared = GarbageReport['trash'][number]

/** An entry of a folder in the data folder. */
interface FolderEntry {
  readonly folder: string
  readonly name: string
}

/** Deletes cards that were in the trash long enough: first their rows, then their files. */
export async function clearTrash(gc: GcContext): Promise<Cleared[]> {
  const cleared: Cleared[] = []
  for (const board of gc.boards) {
    const due = await gc.store.deletedBefore(board.slug, gc.now - board.settings.trashMs)
    for (const card of due) {
      const gone = await clearCard(gc, board, card)
      if (gone !== null) cleared.push(gone)
    }
  }
  return cleared
}

async function clearCard(gc: GcContext, { slug }: Board, card: DeletedCard): Promise<Cleared | null> {
  const { store, home, actor, apply, left } = gc
  const { id, title } = card
  const path = join(inHome.attachments(home, slug), id)
  try {
    const own = await filesOf(gc, slug, card)
    const logs = await logsOf(gc, slug, card)
    const workspace = hasWorkspace(card) ? await findFolder(home, 'boards', slug, 'workspaces', id) : null
    const child = own.length === 0 && workspace === null ? null : await store.unfinishedChild(slug, id)
    if (child !== null) {
      const [entry] = own
      left.push({
        path: workspace ?? (entry === undefined ? path : join(entry.folder, entry.name)),
        reason: `${child} is not finished and may need the files of ${id}.`,
      })
      return null
    }
    const entries = [...own, ...logs]
    let bytes = hasWorkspace(card) ? await diskUsage(join(inHome.workspaces(home, slug), id)) : 0
    for (const { folder, name } of entries) bytes += await diskUsage(join(folder, name))
    if (apply) {
      const outcome = await store.decide({ verb: 'purge', board: slug, actor, input: { task: id } })
      // A person restored the card in the meantime.
      if (!outcome.ok) return null
      for (const { folder, name } of entries)
        await keepOnFailure(gc, join(folder, name), async () => removeEntry(await moveAside(folder, name)))
      if (hasWorkspace(card))
        await keepOnFailure(gc, join(inHome.workspaces(home, slug), id), () => dropWorkspace(gc, slug, id))
    }
    return { id, board: slug, title, bytes }
  } catch (error) {
    left.push({ path, reason: systemReasonWithPath(error) })
    return null
  }
}

const hasWorkspace = ({ workspace }: DeletedCard): boolean => workspace.kind === 'scratch' && workspace.state !== 'kept'

/** Deletes the workspace of a deleted card, without a snapshot: the card was in the trash long enough. */
async function dropWorkspace({ home, protectedPaths }: GcContext, board: string, task: TaskId): Promise<void> {
  const trashed = await trashCardFolder({ home, board, task }, { protectedPaths: await protectedPaths() })
  const reason = trashed === null ? null : await removeTrashed(trashed)
  if (reason !== null) throw new Error(reason)
}

/** The files of the card outside its workspace: attachments and snapshots. */
const filesOf = ({ home }: GcContext, board: string, { id }: DeletedCard): Promise<FolderEntry[]> =>
  existing(
    home,
    ['attachments', 'snapshots'].map((kind) => ['boards', board, kind, id]),
  )

async function logsOf({ store, home }: GcContext, board: string, { id }: DeletedCard): Promise<FolderEntry[]> {
  const runs = await store.runs(board, id)
  return existing(
    home,
    runs.map((run) => ['runs', run.id]),
  )
}

async function existing(home: string, places: readonly string[][]): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = []
  for (const steps of places) {
    const found = await findFolder(home, ...steps)
    if (found !== null) entries.push({ folder: join(found, '..'), name: steps.at(-1) ?? '' })
  }
  return entries
}
