/**
 * Sweeps what finished cards left in the folders of this machine, beside the passes: copying and removing may take
 * longer than any card should wait to start. It goes by what is on the disk, so whatever a crash left is found again, and
 * looks at only so many folders each time.
 */
import { isTaskId } from '../core/ids.ts'
import type { TaskId } from '../core/ids.ts'
import { entriesIn } from '../workspaces/managed-folder.ts'
import { finishTrash, sweepWorkspace } from '../workspaces/sweep-workspace.ts'
import type { Sweeper } from '../workspaces/sweep-workspace.ts'
import { DISPATCHER } from './actor.ts'
import type { Dispatching } from './dispatching.ts'

/** Folders looked at in one round, and folders swept. */
const LOOKED_AT = 128
const SWEPT = 16
/** What could not be removed, and worktrees that had not landed, are looked at again after this. */
const AGAIN_MS = 10 * 60_000

export class Janitor {
  /** The folder that the last round came to, by board. */
  readonly #places = new Map<string, string>()
  readonly #deferred = new Set<TaskId>()
  /** When these may be tried again: cards, and the trash of boards. */
  readonly #notBefore = new Map<string, number>()
  #round: Promise<void> | null = null
  #began = 0
  #stopped = false

  /** Begins a round unless one is under way, or was a moment ago. What fails in it is left for the next. */
  start(dispatching: Dispatching): void {
    if (this.#round !== null || Date.now() - this.#began < dispatching.options.sweepMs) return
    this.#began = Date.now()
    this.#round = this.round(dispatching)
      .catch(() => {})
      .finally(() => {
        this.#round = null
      })
  }

  /** Comes to an end after the folder that is being swept now. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#round
  }

  async round({ store, options: { home, workspaceStaysMs }, onlyBoard }: Dispatching): Promise<void> {
    const boards = await store.boards()
    const spare = boards.flatMap(({ settings }) => settings.defaultDirectory ?? [])
    const sweeper: Sweeper = { store, home, actor: DISPATCHER, spare }
    for (const { slug } of boards.filter((board) => onlyBoard === null || board.slug === onlyBoard)) {
      const ids = await this.#next(home, slug)
      if (this.#stopped) return
      const before = (await store.now()) - workspaceStaysMs
      const due = (await store.sweepable(slug, ids, before)).filter((id) => this.#mayTry(id))
      for (const id of due.slice(0, SWEPT)) if (!this.#stopped) await this.#sweep(sweeper, slug, id)
      await this.#note(sweeper, slug, await store.sweepDeferred(slug, ids))
      await this.#emptyTrash(sweeper, slug)
    }
  }

  async #sweep(sweeper: Sweeper, board: string, id: TaskId): Promise<void> {
    this.#notBefore.set(id, Date.now() + AGAIN_MS)
    const { state, reason } = await sweepWorkspace(sweeper, { board, id })
    if (state === 'gone' && reason !== null) this.#notBefore.set(board, Date.now() + AGAIN_MS)
    if (state === 'gone') this.#notBefore.delete(id)
  }

  /** Once in the life of a dispatcher. */
  async #note({ store, actor }: Sweeper, board: string, ids: readonly TaskId[]): Promise<void> {
    for (const task of ids.filter((id) => !this.#deferred.has(id))) {
      this.#deferred.add(task)
      await store.decide({ verb: 'sweep', board, actor, input: { task, stage: 'defer' } })
    }
  }

  async #emptyTrash(sweeper: Sweeper, board: string): Promise<void> {
    if (!this.#mayTry(board)) return
    const left = await finishTrash(sweeper, board, SWEPT)
    if (left.length > 0) this.#notBefore.set(board, Date.now() + AGAIN_MS)
  }

  #mayTry(what: string): boolean {
    return (this.#notBefore.get(what) ?? 0) <= Date.now()
  }

  /** The folders behind the last ones, and from the beginning again after the last. */
  async #next(home: string, board: string): Promise<TaskId[]> {
    const names = await entriesIn(home, 'boards', board, 'workspaces')
    const ids = names.filter(isTaskId).sort()
    const place = this.#places.get(board) ?? ''
    const [behind, before] = [ids.filter((id) => id > place), ids.filter((id) => id <= place)]
    const some = [...behind, ...before].slice(0, LOOKED_AT)
    this.#places.set(board, some.at(-1) ?? '')
    return some
  }
}
