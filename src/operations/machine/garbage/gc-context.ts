/** The data that all steps of one clean-up share: limits, and paths that must stay. */
import { readdir } from 'node:fs/promises'
import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import type { Actor } from '../../../core/actor.ts'
import type { Board } from '../../../core/board.ts'
import type { Store } from '../../../storage/store.ts'
import { findFolder } from '../../../workspaces/managed-folder.ts'
import type { SweepFiles, SweepProcess } from '../../../workspaces/sweep/sweep-workspace.ts'
import type { GarbageReport } from '../views.ts'
import { systemReasonWithPath } from '../../../util/system-errors.ts'

export interface GcContext {
  readonly store: Store
  readonly home: string
  readonly actor: Actor
  readonly boards: readonly Board[]
  /** The paths that boards and cards name. They are never removed. */
  readonly protectedPaths: () => Promise<readonly string[]>
  readonly process: SweepProcess
  readonly files: SweepFiles
  /** The id of this machine. */
  readonly machine: string
  /** The only board to clean up. Null means all boards. */
  readonly board: string | null
  /** The current time by the clock of the store. */
  readonly now: number
  readonly eventsOlderMs: number
  readonly logsOlderMs: number
  readonly snapshotsOlderMs: number
  /** How long the folder of a finished card stays. */
  readonly staysMs: number
  /** The limit on the total size of the scratch folders of finished cards. */
  readonly staysBytes: number
  /** Whether to delete anything. If false, the clean-up only reports. */
  readonly apply: boolean
  /** The paths that were kept, with the reason. */
  readonly left: GarbageReport['left'][number][]
}

/**
 * The entries of a folder in the data folder. The list is empty if the folder does not exist, or is a link to another
 * place.
 */
export async function entriesInHome(
  { home, left }: Pick<GcContext, 'home' | 'left'>,
  ...steps: string[]
): Promise<{ folder: string; entries: Dirent[] }> {
  try {
    const folder = await findFolder(home, ...steps)
    return folder === null
      ? { folder: '', entries: [] }
      : { folder, entries: await readdir(folder, { withFileTypes: true }) }
  } catch (error) {
    const path = join(home, ...steps)
    left.push({ path, reason: systemReasonWithPath(error) })
    return { folder: '', entries: [] }
  }
}

/** Runs `act` on one path. If `act` fails, the path is listed as kept and the clean-up continues. */
export async function keepOnFailure({ left }: GcContext, path: string, act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    left.push({ path, reason: systemReasonWithPath(error) })
    return false
  }
}
