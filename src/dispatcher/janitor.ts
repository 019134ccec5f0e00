/**
 * Removes the folders of finished cards on this machine. The janitor works in parallel to the passes, because copying
 * and removing folders would delay the start of cards. It reads the folders on the disk, so that it also finds folders
 * that a crash left. Each clean-up handles a limited number of folders.
 */
import { isTaskId } from '../core/ids.ts'
import type { TaskId } from '../core/ids.ts'
import { finishInterruptedSweeps } from '../workspaces/sweep/finish-interrupted-sweeps.ts'
import type { InterruptedSweeps } from '../workspaces/sweep/finish-interrupted-sweeps.ts'
import { isAlreadyLogged } from '../workspaces/sweep/already-logged.ts'
import { namesInFolder } from '../workspaces/managed-folder.ts'
import { readProtectedPaths } from '../workspaces/sweep/remove-folder.ts'
import { recoverLandings } from '../workspaces/landing/open-landings.ts'
import { KeptSizeLimit } from '../workspaces/sweep/kept-size-limit.ts'
import { finishTrash, sweepWorkspace } from '../workspaces/sweep/sweep-workspace.ts'
import type { Sweeper } from '../workspaces/sweep/sweep-workspace.ts'
import type { Host } from '../processes/identity.ts'
import { sweepFiles } from '../file-helper/call-file-helper.ts'
import { sweepProcess } from '../workspaces/sweep/sweep-process.ts'
import { DISPATCHER_ACTOR } from '../core/actor.ts'
import type { DispatchContext } from './dispatch-context.ts'

/** The number of folders that one clean-up looks at, and the number that it removes. */
const FOLDERS_READ = 128
const FOLDERS_SWEPT = 16
/**
 * The time until the janitor looks again at folders that could not be removed, and at worktrees that have not landed.
 */
const RETRY_MS = 10 * 60_000
/**
 * The wait before the next attempt to finish landings. The wait is short, because an unfinished landing locks the
 * user's checkout. Usually the landing is still in progress and ends soon.
 */
const LANDINGS_RETRY_MS = 15_000
/** The longest wait before the janitor retries a failed snapshot. */
const LONGEST_RETRY_MS = 4 * 3_600_000

const sweeperHere = (host: Host) => ({ process: sweepProcess(host), files: sweepFiles, machine: host.machine.id })

export class Janitor {
  /** The last folder that the janitor looked at, by board. */
  readonly #places = new Map<string, string>()
  /**
   * `#deferred`: the cards whose folder waits for a child, if the wait is already logged. `#free`: the cards whose
   * folder waited for no child at the last clean-up.
   */
  readonly #deferred = new Set<TaskId>()
  readonly #free = new Set<TaskId>()
  /**
   * The times of the next attempts. The keys are cards, boards (for their trash), and `lost on <board>` (for
   * interrupted removals).
   */
  readonly #notBefore = new Map<string, number>()
  /** The number of snapshots of a card that failed in a row. */
  readonly #failed = new Map<TaskId, number>()
  readonly #budget = new KeptSizeLimit()
  #sweeping: Promise<void> | null = null
  #began = 0
  #stopped = false
  readonly #findsLost: boolean

  /**
   * Without `findsLost`, only `muster up` and `muster gc` finish interrupted removals, because finding them reads every
   * card.
   */
  constructor({ findsLost = true } = {}) {
    this.#findsLost = findsLost
  }

  /**
   * Starts a clean-up, unless a clean-up is running or began recently. Errors are ignored, because the next clean-up
   * tries again.
   */
  start(context: DispatchContext): void {
    if (this.#sweeping !== null || Date.now() - this.#began < context.options.sweepMs) return
    this.#began = Date.now()
    this.#sweeping = this.sweepAll(context)
      .catch(() => {})
      .finally(() => {
        this.#sweeping = null
      })
  }

  /** Waits until the current folder is removed. The clean-up then ends and leaves the other folders. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#sweeping
  }

  async sweepAll({
    store,
    host,
    options: { home, workspaceStaysMs, workspaceStaysBytes },
    onlyBoard,
  }: DispatchContext): Promise<void> {
    await this.#recoverLandings(home)
    const boards = await store.boards()
    const sweeper = {
      store,
      home,
      actor: DISPATCHER_ACTOR,
      protectedPaths: readProtectedPaths(store, boards),
      ...sweeperHere(host),
    }
    const slugs = boards.map(({ slug }) => slug).filter((slug) => onlyBoard === null || slug === onlyBoard)
    for (const slug of slugs) {
      const ids = await this.#next(home, slug)
      if (this.#stopped) return
      const before = (await store.now()) - workspaceStaysMs
      const due = (await store.sweepable(slug, ids, before)).filter((id) => this.#mayTry(id))
      for (const id of due.slice(0, FOLDERS_SWEPT)) if (!this.#stopped) await this.#sweep(sweeper, slug, id)
      await this.#note(sweeper, slug, { ids, deferred: await store.sweepDeferred(slug, ids) })
      await this.#emptyTrash(sweeper, slug)
      await this.#finishInterruptedSweeps({ sweeper, board: slug, machine: host.machine.id, existing: ids, before })
    }
    const asked = { home, boards: slugs, limitBytes: workspaceStaysBytes }
    for (const { board, id } of await this.#budget.exceeding(store, asked))
      if (!this.#stopped && this.#mayTry(id)) await this.#sweep(sweeper, board, id)
  }

  async #recoverLandings(home: string): Promise<void> {
    const key = 'landings'
    if (this.#mayTry(key) && (await recoverLandings(home)) > 0) this.#notBefore.set(key, Date.now() + LANDINGS_RETRY_MS)
  }

  async #sweep(sweeper: Sweeper, board: string, id: TaskId): Promise<void> {
    this.#notBefore.set(id, Date.now() + RETRY_MS)
    const { state, reason } = await sweepWorkspace(sweeper, { board, id })
    const failed = state === 'postponed' ? (this.#failed.get(id) ?? 0) + 1 : 0
    if (failed === 0) this.#failed.delete(id)
    else {
      this.#failed.set(id, failed)
      this.#notBefore.set(id, Date.now() + Math.min(RETRY_MS * 2 ** (failed - 1), LONGEST_RETRY_MS))
    }
    if (state === 'gone' && reason !== null) this.#notBefore.set(board, Date.now() + RETRY_MS)
    if (state !== 'gone') return
    this.#notBefore.delete(id)
    this.#free.delete(id)
  }

  /** Logs that a folder waits for a child. The log gets this event only once, even if another dispatcher takes over. */
  async #note(
    { store, actor }: Sweeper,
    board: string,
    { ids, deferred }: { ids: readonly TaskId[]; deferred: readonly TaskId[] },
  ): Promise<void> {
    for (const id of ids.filter((one) => !deferred.includes(one))) {
      this.#deferred.delete(id)
      this.#free.add(id)
    }
    for (const id of deferred.filter((one) => !this.#deferred.has(one))) {
      // Unless this janitor has seen the folder without a waiting child, an earlier dispatcher may already have logged
      // the wait.
      const known = !this.#free.delete(id) && (await isAlreadyLogged(store, { board, id }, { kind: 'sweep_deferred' }))
      if (!known) await store.decide({ verb: 'sweep', board, actor, input: { task: id, stage: 'defer' } })
      this.#deferred.add(id)
    }
  }

  async #finishInterruptedSweeps(lost: InterruptedSweeps): Promise<void> {
    const key = `lost on ${lost.board}`
    if (!this.#findsLost || !this.#mayTry(key)) return
    this.#notBefore.set(key, Date.now() + RETRY_MS)
    await finishInterruptedSweeps(lost)
  }

  async #emptyTrash(sweeper: Sweeper, board: string): Promise<void> {
    if (!this.#mayTry(board)) return
    const left = await finishTrash(sweeper, board, FOLDERS_SWEPT)
    if (left.length > 0) this.#notBefore.set(board, Date.now() + RETRY_MS)
  }

  #mayTry(what: string): boolean {
    return (this.#notBefore.get(what) ?? 0) <= Date.now()
  }

  /**
   * Returns the next folders after the last folder that the janitor looked at. After the last folder of the board, it
   * starts again with the first.
   */
  async #next(home: string, board: string): Promise<TaskId[]> {
    const names = await namesInFolder(home, 'boards', board, 'workspaces')
    const ids = names.filter(isTaskId).sort()
    const place = this.#places.get(board) ?? ''
    const [behind, before] = [ids.filter((id) => id > place), ids.filter((id) => id <= place)]
    const some = [...behind, ...before].slice(0, FOLDERS_READ)
    this.#places.set(board, some.at(-1) ?? '')
    return some
  }
}
