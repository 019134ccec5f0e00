/**
 * Limits the total size of scratch folders that Muster keeps for a while after their cards have finished. The oldest
 * folders are removed first.
 */
import { join } from 'node:path'
import { inHome } from '../../config/home.ts'
import { isTaskId } from '../../core/ids.ts'
import type { TaskId } from '../../core/ids.ts'
import type { Store } from '../../storage/store.ts'
import { diskUsage } from './remove-entry.ts'
import { namesInFolder } from '../managed-folder.ts'

/** The minimum time between two measurements, because measuring new folders is slow. */
const AGAIN_MS = 60_000

interface KeptFolder {
  readonly board: string
  readonly id: TaskId
  readonly bytes: number
  readonly updatedAt: number
}

interface SizeLimit {
  readonly home: string
  readonly boards: readonly string[]
  readonly limitBytes: number
}

type Reader = Pick<Store, 'now' | 'sweepable' | 'tasksById'>

export class KeptSizeLimit {
  /**
   * The sizes of folders. The folder of a finished card no longer changes, so its size is cached. This is null for a
   * worktree, because the limit does not apply to worktrees.
   */
  readonly #known = new Map<TaskId, KeptFolder | null>()
  #lookedAt = -Infinity

  /** The scratch folders that must be removed to stay within the limit, oldest first. */
  async exceeding(store: Reader, { home, boards, limitBytes }: SizeLimit): Promise<readonly KeptFolder[]> {
    if (performance.now() - this.#lookedAt < AGAIN_MS) return []
    this.#lookedAt = performance.now()
    const unneeded: TaskId[] = []
    for (const board of boards) {
      const ids = (await namesInFolder(home, 'boards', board, 'workspaces')).filter(isTaskId)
      const ofBoard = await store.sweepable(board, ids, await store.now())
      await this.#learn(store, ofBoard, inHome.workspaces(home, board))
      unneeded.push(...ofBoard)
    }
    this.#forgetOthers(new Set(unneeded))
    const staying = [...this.#known.values()].filter((one) => one !== null)
    const total = staying.reduce((sum, { bytes }) => sum + bytes, 0)
    return oldestFirst(staying, total - limitBytes)
  }

  async #learn(store: Reader, ids: readonly TaskId[], folder: string): Promise<void> {
    for (const { board, id, updatedAt, workspace } of await store.tasksById(ids.filter((one) => !this.#known.has(one))))
      this.#known.set(
        id,
        workspace.kind === 'scratch' ? { board, id, updatedAt, bytes: await diskUsage(join(folder, id)) } : null,
      )
  }

  /** Forgets the sizes of folders that are in use again. A reopened card may change its folder. */
  #forgetOthers(ids: ReadonlySet<TaskId>): void {
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id)
  }
}

function oldestFirst(staying: readonly KeptFolder[], tooMuch: number): readonly KeptFolder[] {
  const going: KeptFolder[] = []
  let freed = 0
  for (const one of staying.toSorted((a, b) => a.updatedAt - b.updatedAt)) {
    if (freed >= tooMuch) break
    going.push(one)
    freed += one.bytes
  }
  return going
}
