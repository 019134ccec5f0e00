/**
 * Sweeping the workspace of one card, from the first word to the store to the last file:
 *   begin (the store decides that nobody needs it) → copied, where it holds what no card has → moved into the trash →
 *   end → removed.
 * Cut off anywhere, the next sweep goes on; what cannot be moved is kept, what cannot be copied just now is left for
 * another time, and either is said.
 */
import type { Actor } from '../core/actor.ts'
import type { TaskId } from '../core/ids.ts'
import type { Task } from '../core/task.ts'
import { callFileHelper } from '../files/call-file-helper.ts'
import type { Store } from '../storage/store.ts'
import { isSaid } from './is-said.ts'
import { findFolder } from './managed-folder.ts'
import { listTrash, moveToTrash, removeTrashed, trashedCard } from './remove-folder.ts'
import type { Trashed } from './remove-folder.ts'
import { ARCHIVE_BYTES, snapshotPlace } from './snapshots.ts'
import type { Place } from './workspace.ts'
import { forgetWorktree, worktreeHolds } from './worktree-changes.ts'
import { systemFault } from '../util/system-words.ts'

export interface Sweeper {
  readonly store: Pick<Store, 'decide' | 'task' | 'attachments' | 'taskEvents'>
  readonly home: string
  readonly actor: Actor
  /** Places that people have named. */
  readonly spare: () => Promise<readonly string[]>
}

export interface Swept {
  /** `postponed`: it could not be copied; another time. `refused`: not now; nothing was changed. */
  readonly state: 'gone' | 'kept' | 'postponed' | 'refused'
  /** Why it is not gone, or what of it is still on the disk. */
  readonly reason: string | null
  readonly snapshot: string | null
  /** Why what went was not copied, though it held something. */
  readonly uncopied: string | null
}

export const NO_COPY = { snapshot: null, uncopied: null } as const

const refused = (reason: string): Swept => ({ state: 'refused', reason, ...NO_COPY })

export async function sweepWorkspace(
  sweeper: Sweeper,
  { board, id }: { board: string; id: TaskId },
  { discard = false } = {},
): Promise<Swept> {
  const { store, home, actor } = sweeper
  const task = await store.task(board, id, { deleted: true })
  if (task === null) return refused(`there is no card ${id}`)
  const place: Place = { home, board, task: id }
  const stays = discard ? null : await worktreeReason(task, place)
  if (stays !== null && task.workspace.state === 'kept') return { state: 'kept', reason: stays, ...NO_COPY }
  const say = (stage: 'begin' | 'keep' | 'postpone' | 'end', more: object = {}) =>
    store.decide({ verb: 'sweep', board, actor, input: { task: id, stage, ...more } })
  const begun = await say('begin', { again: discard || task.workspace.kind === 'worktree' })
  if (!begun.ok) return refused(begun.error.message)
  const taken = stays === null ? await takeAway(sweeper, task, { place, discard }) : { kept: stays }
  if ('kept' in taken) {
    await say('keep', { reason: taken.kept })
    return { state: 'kept', reason: taken.kept, ...NO_COPY }
  }
  if ('failed' in taken) {
    const known = await isSaid(store, { board, id }, { kind: 'workspace_kept', data: { reason: taken.failed } })
    await say('postpone', { reason: taken.failed, known })
    return { state: 'postponed', reason: taken.failed, ...NO_COPY }
  }
  const { snapshot, trashed, uncopied } = taken
  await say('end', { snapshot })
  const reason = trashed === null ? null : await removeTrashed(trashed)
  if (task.workspace.kind === 'worktree' && task.workspace.repo !== null)
    await forgetWorktree(task.workspace.repo, place)
  return { state: 'gone', reason, snapshot, uncopied }
}

/** Worktrees stay while they hold changes; whatever else is found in a folder can be copied. */
export async function worktreeReason(
  { workspace, landed }: Pick<Task, 'workspace' | 'landed'>,
  place: Place,
): Promise<string | null> {
  if (workspace.kind !== 'worktree') return null
  const folder = await folderOf(place).catch(() => null)
  return folder === null ? null : worktreeHolds(heldIn(place.home, folder, { workspace, landed }))
}

const heldIn = (home: string, folder: string, { workspace, landed }: Pick<Task, 'workspace' | 'landed'>) => ({
  home,
  folder,
  repo: workspace.repo,
  landedTip: landed?.tip ?? null,
})

const folderOf = ({ home, board, task }: Place): Promise<string | null> =>
  findFolder(home, 'boards', board, 'workspaces', task)

/** `kept`: it stays until a person says otherwise. `failed`: there is no copy of it yet. */
type Taken = { readonly kept: string } | { readonly failed: string } | (Copied & { readonly trashed: Trashed | null })

type Copied = Pick<Swept, 'snapshot' | 'uncopied'>

async function takeAway(
  { store, spare }: Sweeper,
  task: Task,
  { place, discard }: { place: Place; discard: boolean },
): Promise<Taken> {
  // A store that does not answer is no reason to keep anything: the sweep goes on another time.
  const [files, named] = await Promise.all([store.attachments(place.board, place.task), spare()])
  try {
    const folder = await folderOf(place)
    if (folder === null) return { ...NO_COPY, trashed: null }
    const copied = await copy(task, { place, folder, files, discard }).catch((error: unknown) => ({
      failed: `it could not be copied, which is tried again: ${systemFault(error)}`,
    }))
    if (!('snapshot' in copied)) return copied
    return { ...copied, trashed: await moveToTrash(place, { spare: named }) }
  } catch (error) {
    return { kept: systemFault(error) }
  }
}

interface Copying {
  readonly place: Place
  readonly folder: string
  readonly files: Awaited<ReturnType<Store['attachments']>>
  readonly discard: boolean
}

/** A worktree that gets here has landed, or was given up by a person: then its changes are copied all the same. */
async function copy(
  { workspace, landed }: Task,
  { place, folder, files, discard }: Copying,
): Promise<{ readonly kept: string } | Copied> {
  if (workspace.kind === 'worktree') {
    if ((await worktreeHolds(heldIn(place.home, folder, { workspace, landed }))) === null) return NO_COPY
    if (workspace.repo !== null) {
      const { repo } = workspace
      const made = await callFileHelper('snapshotWorktree', { place, folder, repo }).catch(() => null)
      if (made !== null) return { snapshot: snapshotPlace(made), uncopied: null }
    }
  }
  const declared = files.map(({ size, sha256 }) => ({ size, sha256 }))
  const holding = await callFileHelper('examineFolder', { folder, declared })
  if (holding !== null && (holding.declared || holding.files === 0)) return NO_COPY
  if (holding === null || holding.bytes > ARCHIVE_BYTES) {
    const why = tooLarge(holding?.bytes ?? null)
    return discard ? { snapshot: null, uncopied: why } : { kept: why }
  }
  const made = await callFileHelper('archiveFolder', { place, folder, measured: holding })
  return { snapshot: snapshotPlace(made), uncopied: null }
}

const tooLarge = (bytes: number | null): string =>
  bytes === null
    ? 'it holds more files than a snapshot takes'
    : `it holds ${Math.ceil(bytes / 1024 ** 2)} MB, more than the 100 MB that a snapshot takes`

/** Ends what was cut off after the move: the card is told, and the folder goes. What cannot go comes back as reasons. */
export async function finishTrash({ store, home, actor }: Sweeper, board: string, most: number): Promise<string[]> {
  const left: string[] = []
  for (const trashed of (await listTrash(home, board)).slice(0, most)) {
    const task = trashedCard(trashed.name)
    // Its card may be gone by now; then nobody waits for the end either.
    if (task !== null) await store.decide({ verb: 'sweep', board, actor, input: { task, stage: 'end' } })
    const reason = await removeTrashed(trashed)
    if (reason !== null) left.push(reason)
  }
  return left
}
