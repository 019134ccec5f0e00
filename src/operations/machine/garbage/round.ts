/** One round of upkeep: what it goes by, and what it has found. */
import { readdir } from 'node:fs/promises'
import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import type { Actor } from '../../../core/actor.ts'
import type { Board } from '../../../core/board.ts'
import type { Store } from '../../../storage/store.ts'
import { findFolder } from '../../../workspaces/managed-folder.ts'
import type { SweepFiles, SweepProcess } from '../../../workspaces/sweep/sweep-workspace.ts'
import type { GarbageReport } from '../views.ts'
import { systemFault } from '../../../util/system-words.ts'

export interface Round {
  readonly store: Store
  readonly home: string
  readonly actor: Actor
  readonly boards: readonly Board[]
  /** Paths that boards and cards name; never removed. */
  readonly protectedPaths: () => Promise<readonly string[]>
  readonly process: SweepProcess
  readonly files: SweepFiles
  /** This machine. */
  readonly machine: string
  /** The one board it is about; null for all. */
  readonly board: string | null
  /** By the store's clock. */
  readonly now: number
  readonly eventsOlderMs: number
  readonly logsOlderMs: number
  readonly snapshotsOlderMs: number
  /** How long the folder of a finished card stays. */
  readonly staysMs: number
  /** The limit on the total size of such scratch folders. */
  readonly staysBytes: number
  /** Whether things go, or are only counted. */
  readonly apply: boolean
  /** What was not touched, and why. */
  readonly left: GarbageReport['left'][number][]
}

/** What lies in a folder of the home; nothing when it is not there, or is not really there. */
export async function entriesOf(
  { home, left }: Pick<Round, 'home' | 'left'>,
  ...steps: string[]
): Promise<{ folder: string; entries: Dirent[] }> {
  try {
    const folder = await findFolder(home, ...steps)
    return folder === null
      ? { folder: '', entries: [] }
      : { folder, entries: await readdir(folder, { withFileTypes: true }) }
  } catch (error) {
    const path = join(home, ...steps)
    left.push({ path, reason: systemFault(error) })
    return { folder: '', entries: [] }
  }
}

/** Does something about one thing; if that fails, it stays, and the round goes on. */
export async function tryOn({ left }: Round, path: string, act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    left.push({ path, reason: systemFault(error) })
    return false
  }
}
