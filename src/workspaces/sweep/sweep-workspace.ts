/**
 * Removes the workspace of one card. The store decides that no card needs the folder. Files that are stored nowhere
 * else are copied. Then the folder is moved into the trash, the store records the end, and the folder is removed. The
 * next clean-up continues an interrupted removal. If a folder cannot be moved, it is kept. If a folder cannot be
 * copied, a later clean-up tries again. Both cases are logged.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '../../core/actor.ts'
import type { TaskId } from '../../core/ids.ts'
import type { Task } from '../../core/task.ts'
import { cut } from '../../core/text.ts'
import { isElsewhere, machineName } from '../../core/gates/workspace-gates.ts'
import type { Store } from '../../storage/store.ts'
import type { Declared, FolderContents } from '../files/examine-folder.ts'
import { usersGit } from '../git/git.ts'
import { ignoredWork } from './ignored-work.ts'
import { isAlreadyLogged } from './already-logged.ts'
import { findFolder } from '../managed-folder.ts'
import { listTrash, trashCardFolder, removeTrashed, trashedCard } from './remove-folder.ts'
import type { Trashed } from './remove-folder.ts'
import { ARCHIVE_BYTES, clearUnfinished, snapshotPlace } from '../files/snapshots.ts'
import type { Measured, Snapshot } from '../files/snapshots.ts'
import type { CardLocation } from '../workspace.ts'
import { forgetWorktree, reasonToKeepWorktree } from '../git/worktree-changes.ts'
import { systemReasonWithPath } from '../../util/system-errors.ts'

export interface Sweeper {
  readonly store: Pick<Store, 'decide' | 'task' | 'attachments' | 'taskEvents'>
  readonly home: string
  readonly actor: Actor
  /** The paths that boards and cards name. They are never removed. */
  readonly protectedPaths: () => Promise<readonly string[]>
  readonly process: SweepProcess
  readonly files: SweepFiles
  /** The id of this machine. */
  readonly machine: string
}

/** The process that removes a workspace. Only one process removes the workspace of a card at a time. */
export interface SweepProcess {
  readonly id: string
  /** The state of the process that began to remove the workspace of a card. */
  stateOf(sweeper: string): 'living' | 'dead' | 'elsewhere'
}

/** Reads and copies the files of a workspace, in a process that has no store open. */
export interface SweepFiles {
  examineFolder(request: { readonly folder: string; readonly declared: Declared }): Promise<FolderContents | null>
  archiveFolder(request: {
    readonly place: CardLocation
    readonly folder: string
    readonly measured: Measured
  }): Promise<Snapshot>
  snapshotWorktree(request: {
    readonly place: CardLocation
    readonly folder: string
    readonly repo: string
  }): Promise<Snapshot>
}

export interface Swept {
  /**
   * `postponed` means that the folder could not be copied, and a later clean-up tries again. `refused` means that
   * nothing was changed.
   */
  readonly state: 'gone' | 'kept' | 'postponed' | 'refused'
  /** Why the folder still exists, or which part of the folder is still on the disk. */
  readonly reason: string | null
  readonly snapshot: string | null
  /** Why removed files were not copied. Null means that no file was lost. */
  readonly uncopied: string | null
}

export const NO_COPY = { snapshot: null, uncopied: null } as const

const refused = (reason: string): Swept => ({ state: 'refused', reason, ...NO_COPY })

interface Sweep {
  /** Whether a person wants the folder deleted even if it has files that are stored nowhere else. */
  readonly discard?: boolean
  /** The time to wait for another process that is removing the folder. */
  readonly waitMs?: number
}

const LOOK_MS = 100

/** Removes the folder of a card. If another process is already removing it, waits for that process up to `waitMs`. */
export async function sweepWorkspace(
  sweeper: Sweeper,
  card: { board: string; id: TaskId },
  { discard = false, waitMs = 0 }: Sweep = {},
): Promise<Swept> {
  for (const deadline = performance.now() + waitMs; ; await sleep(LOOK_MS)) {
    const swept = await sweepOnce(sweeper, card, discard)
    if (swept !== 'busy') return swept
    if (performance.now() < deadline) continue
    return refused(`another process is removing the folder of ${card.id}`)
  }
}

/** Tries once to remove the folder. `busy` means that another live process is removing it. */
async function sweepOnce(
  sweeper: Sweeper,
  { board, id }: { board: string; id: TaskId },
  discard: boolean,
): Promise<Swept | 'busy'> {
  const { store, home, actor, process, machine } = sweeper
  const task = await store.task(board, id, { deleted: true })
  if (task === null) return refused(`card ${id} does not exist`)
  const begunBy = task.workspace.state === 'sweeping' ? task.workspace.sweeper : null
  const other = begunBy === null || begunBy === process.id ? 'dead' : process.stateOf(begunBy)
  if (other === 'living' || (other === 'elsewhere' && !discard)) return 'busy'
  if (isElsewhere(task.workspace, machine) && !discard)
    return refused(
      `the files of ${id} are on machine ${machineName(task.workspace)}, and the folder here is an older one`,
    )
  const place: CardLocation = { home, board, task: id }
  const ended = await endedBefore(task, place, discard)
  if (ended !== null) return ended
  const stays = discard ? null : await reasonToKeep(task, place)
  if (stays !== null && task.workspace.state === 'kept') return { state: 'kept', reason: stays, ...NO_COPY }
  const record = (stage: 'begin' | 'keep' | 'postpone' | 'end', more: object = {}) =>
    store.decide({ verb: 'sweep', board, actor, input: { task: id, stage, by: process.id, ...more } })
  const begun = await record('begin', { again: discard || task.workspace.kind === 'worktree', over: begunBy })
  if (!begun.ok) return begun.error.code === 'workspace_sweeping' ? 'busy' : refused(begun.error.message)
  const result = stays === null ? await copyAndTrash(sweeper, task, { place, discard }) : { kept: stays }
  if ('kept' in result) {
    await record('keep', { reason: result.kept })
    return { state: 'kept', reason: result.kept, ...NO_COPY }
  }
  if ('failed' in result) {
    const known = await isAlreadyLogged(
      store,
      { board, id },
      { kind: 'workspace_kept', data: { reason: result.failed } },
    )
    await record('postpone', { reason: result.failed, known })
    return { state: 'postponed', reason: result.failed, ...NO_COPY }
  }
  const { snapshot, trashed, uncopied } = result
  await record('end', { snapshot })
  const reason = trashed === null ? filesElsewhere(task, machine) : await removeTrashed(trashed)
  if (task.workspace.kind === 'worktree' && task.workspace.repo !== null)
    await forgetWorktree(task.workspace.repo, place)
  return { state: 'gone', reason, snapshot, uncopied }
}

/**
 * Explains that the files stay on another machine. A person can discard the files of a card from any machine, but the
 * files on another machine are not deleted.
 */
const filesElsewhere = ({ id, workspace }: Task, machine: string): string | null =>
  isElsewhere(workspace, machine) ? `the files of ${id} stay on machine ${machineName(workspace)}` : null

/** The result of an earlier removal. Null means that the workspace was not removed before. */
async function endedBefore({ workspace }: Task, place: CardLocation, discard: boolean): Promise<Swept | null> {
  if (workspace.state === 'kept' && workspace.kind === 'scratch' && !discard)
    return { state: 'kept', reason: 'it was kept', ...NO_COPY }
  const isGone = workspace.state === 'gone' && (await folderOf(place).catch(() => '')) === null
  return isGone ? { state: 'gone', reason: null, ...NO_COPY } : null
}

/**
 * Why a worktree must be kept, for example because of uncommitted changes. This is null for other folders, because
 * their files can be copied.
 */
export async function reasonToKeep(
  { workspace, landed }: Pick<Task, 'workspace' | 'landed'>,
  place: CardLocation,
): Promise<string | null> {
  if (workspace.kind !== 'worktree') return null
  const folder = await folderOf(place).catch(() => null)
  return folder === null ? null : reasonToKeepWorktree(heldIn(place.home, folder, { workspace, landed }))
}

const heldIn = (home: string, folder: string, { workspace, landed }: Pick<Task, 'workspace' | 'landed'>) => ({
  home,
  folder,
  repo: workspace.repo,
  landedTip: landed?.tip ?? null,
})

const folderOf = ({ home, board, task }: CardLocation): Promise<string | null> =>
  findFolder(home, 'boards', board, 'workspaces', task)

/** `kept` means that the folder stays until a person decides. `failed` means that the folder could not be copied. */
type TrashResult =
  { readonly kept: string } | { readonly failed: string } | (Copied & { readonly trashed: Trashed | null })

type Copied = Pick<Swept, 'snapshot' | 'uncopied'>

async function copyAndTrash(
  { store, protectedPaths, files: sweepFiles }: Sweeper,
  task: Task,
  { place, discard }: { place: CardLocation; discard: boolean },
): Promise<TrashResult> {
  // These calls are outside the `try`, because a folder must not be marked as kept only because the store does not
  // answer. In that case, the removal fails and is repeated.
  const [files, named] = await Promise.all([store.attachments(place.board, place.task), protectedPaths()])
  try {
    // Only this process works on the workspace now, so no other process is making a snapshot.
    await clearUnfinished(place)
    const folder = await folderOf(place)
    if (folder === null) return { ...NO_COPY, trashed: null }
    const copied = await copy(task, { place, folder, files, sweepFiles, discard }).catch((error: unknown) => ({
      failed: `the folder could not be copied, and Muster will retry: ${systemReasonWithPath(error)}`,
    }))
    if (!('snapshot' in copied)) return copied
    return { ...copied, trashed: await trashCardFolder(place, { protectedPaths: named }) }
  } catch (error) {
    return { kept: systemReasonWithPath(error) }
  }
}

interface Copying {
  readonly place: CardLocation
  readonly folder: string
  readonly files: Awaited<ReturnType<Store['attachments']>>
  readonly sweepFiles: SweepFiles
  readonly discard: boolean
}

/**
 * Copies the files that are stored nowhere else. This function is called for a worktree only after its branch has
 * landed or a person discarded the worktree. Changes in the worktree are copied nevertheless.
 */
async function copy(
  { workspace, landed }: Task,
  { place, folder, files, sweepFiles, discard }: Copying,
): Promise<{ readonly kept: string } | Copied> {
  if (workspace.kind === 'worktree') {
    const { repo } = workspace
    const keptFor = await reasonToKeepWorktree(heldIn(place.home, folder, { workspace, landed }))
    const ignored = await copyIgnored(place, folder, { repo, sweepFiles, discard })
    if ('kept' in ignored) return ignored
    // The snapshot of the ignored files was made first. This snapshot is newer, because `muster restore` restores the
    // newest snapshot by default.
    const made =
      keptFor === null || repo === null
        ? null
        : await sweepFiles.snapshotWorktree({ place, folder, repo }).catch(() => null)
    const copies = [made === null ? null : snapshotPlace(made), ignored.snapshot].filter((one) => one !== null)
    if (keptFor === null || made !== null) return { ...ignored, snapshot: copies.join(' and ') || null }
  }
  const declared = files.map(({ size, sha256 }) => ({ size, sha256 }))
  const holding = await sweepFiles.examineFolder({ folder, declared })
  const why = cannotCopy(holding)
  if (why !== null) return discard ? { snapshot: null, uncopied: why } : { kept: why }
  if (holding === null || holding.declared || holding.files === 0) return NO_COPY
  const made = await sweepFiles.archiveFolder({ place, folder, measured: holding })
  return { snapshot: snapshotPlace(made), uncopied: null }
}

/**
 * Copies the files that git ignores, because no branch contains them. If they cannot be copied, the worktree is kept.
 */
async function copyIgnored(
  place: CardLocation,
  folder: string,
  { repo, sweepFiles, discard }: Pick<Copying, 'sweepFiles' | 'discard'> & { readonly repo: string | null },
): Promise<{ readonly kept: string } | Copied> {
  const found = await ignoredWork(usersGit(place.home), folder, repo)
  const why = cannotCopy(found)
  if (why !== null) {
    const reason = `files that git ignores cannot be copied: ${why}`
    return discard ? { snapshot: null, uncopied: reason } : { kept: reason }
  }
  if (found === null || found.paths.length === 0) return NO_COPY
  const { paths, bytes } = found
  const measured = { paths, files: paths.length, bytes }
  const archived = await sweepFiles.archiveFolder({ place, folder, measured })
  return { snapshot: snapshotPlace(archived), uncopied: null }
}

/** Why a snapshot cannot contain all files. Null means that a snapshot can contain all of them. */
function cannotCopy(found: Pick<FolderContents, 'bytes' | 'unreadable'> | null): string | null {
  if (found === null || found.bytes > ARCHIVE_BYTES) return tooLargeText(found?.bytes ?? null)
  return found.unreadable === null ? null : `${cut(found.unreadable, 200)} cannot be read, so it cannot be copied`
}

const tooLargeText = (bytes: number | null): string =>
  bytes === null
    ? 'the folder has more files than a snapshot can hold'
    : `the folder has ${Math.ceil(bytes / 1024 ** 2)} MB, more than the 100 MB that a snapshot can hold`

/**
 * Finishes removals that were interrupted after the move into the trash. Returns the reasons why folders could not be
 * removed.
 */
export async function finishTrash(
  { store, home, actor, process }: Sweeper,
  board: string,
  most: number,
): Promise<string[]> {
  const reasons: string[] = []
  for (const trashed of (await listTrash(home, board)).slice(0, most)) {
    const id = trashedCard(trashed.name)
    const task = id === null ? null : await store.task(board, id, { deleted: true })
    // If the card no longer exists, the store does not know which process began the removal.
    const by = task?.workspace.sweeper ?? null
    if (by !== null && by !== process.id && process.stateOf(by) !== 'dead') continue
    if (id !== null)
      await store.decide({ verb: 'sweep', board, actor, input: { task: id, stage: 'end', by: process.id, over: by } })
    const reason = await removeTrashed(trashed)
    if (reason !== null) reasons.push(reason)
  }
  return reasons
}
