/** Limits the total size of scratch folders that are kept for a while after they are needed: the oldest are removed first. */
import { join } from 'node:path'
import { inHome } from '../config/home.ts'
import { isTaskId } from '../core/ids.ts'
import type { TaskId } from '../core/ids.ts'
import type { Store } from '../storage/store.ts'
import { weigh } from './clear-away.ts'
import { entriesIn } from './managed-folder.ts'

/** Measuring new folders is slow, so it happens only once in this time. */
const AGAIN_MS = 60_000

interface Staying {
  readonly board: string
  readonly id: TaskId
  readonly bytes: number
}

interface Asked {
  readonly home: string
  readonly boards: readonly string[]
  readonly limitBytes: number
}

export class StayBudget {
  /** Sizes are cached: the folder of a finished card no longer changes. */
  readonly #weights = new Map<TaskId, number>()
  #lookedAt = -Infinity

  /** The folders that must go now, oldest first, so that the others stay within the limit. */
  async exceeding(
    store: Pick<Store, 'now' | 'sweepable' | 'tasksById'>,
    { home, boards, limitBytes }: Asked,
  ): Promise<readonly Staying[]> {
    if (performance.now() - this.#lookedAt < AGAIN_MS) return []
    this.#lookedAt = performance.now()
    const staying: Staying[] = []
    for (const board of boards) {
      const ids = (await entriesIn(home, 'boards', board, 'workspaces')).filter(isTaskId)
      for (const id of await store.sweepable(board, ids, await store.now()))
        staying.push({ board, id, bytes: await this.#weigh(join(inHome.workspaces(home, board), id), id) })
    }
    this.#forgetOthers(staying)
    const total = staying.reduce((sum, { bytes }) => sum + bytes, 0)
    return total <= limitBytes ? [] : oldestFirst(store, staying, total - limitBytes)
  }

  async #weigh(path: string, id: TaskId): Promise<number> {
    const known = this.#weights.get(id)
    if (known !== undefined) return known
    const bytes = await weigh(path)
    this.#weights.set(id, bytes)
    return bytes
  }

  /** A card that was reopened may change its folder. */
  #forgetOthers(staying: readonly Staying[]): void {
    const ids = new Set(staying.map(({ id }) => id))
    for (const id of this.#weights.keys()) if (!ids.has(id)) this.#weights.delete(id)
  }
}

/** Scratch folders only: worktrees have a rule of their own. */
async function oldestFirst(
  store: Pick<Store, 'tasksById'>,
  staying: readonly Staying[],
  tooMuch: number,
): Promise<readonly Staying[]> {
  const ages = new Map<TaskId, number>()
  for (const { id, updatedAt, workspace } of await store.tasksById(staying.map(({ id: one }) => one)))
    if (workspace.kind === 'scratch') ages.set(id, updatedAt)
  const going: Staying[] = []
  let freed = 0
  for (const one of staying.filter(({ id }) => ages.has(id)).toSorted((a, b) => ageOf(a) - ageOf(b))) {
    if (freed >= tooMuch) break
    going.push(one)
    freed += one.bytes
  }
  return going

  function ageOf({ id }: Staying): number {
    return ages.get(id) ?? 0
  }
}
