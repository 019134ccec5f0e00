/**
 * Sweeps the folders of finished cards on this machine. It runs beside the passes, because copying and removing may take
 * longer than a card should wait to start. It reads the folders on the disk, so it finds what a crash left, and checks a
 * limited number of them each time.
 */
import { isTaskId } from '../core/ids.ts'
import type { TaskId } from '../core/ids.ts'
import { finishInterruptedSweeps } from '../workspaces/sweep/finish-interrupted-sweeps.ts'
import type { InterruptedSweeps } from '../workspaces/sweep/finish-interrupted-sweeps.ts'
import { isAlreadyLogged } from '../workspaces/sweep/already-logged.ts'
import { entriesIn } from '../workspaces/managed-folder.ts'
import { readProtectedPaths } from '../workspaces/sweep/remove-folder.ts'
import { recoverLandings } from '../workspaces/landing/open-landings.ts'
import { KeptSizeLimit } from '../workspaces/sweep/kept-size-limit.ts'
import { finishTrash, sweepWorkspace } from '../workspaces/sweep/sweep-workspace.ts'
import type { Sweeper } from '../workspaces/sweep/sweep-workspace.ts'
import type { Host } from '../processes/identity.ts'
import { sweepFiles } from '../file-helper/call-file-helper.ts'
import { sweepProcess } from '../workspaces/sweep/sweep-process.ts'
import { DISPATCHER } from './actor.ts'
import type { DispatchContext } from './dispatch-context.ts'

/** How many folders one sweep checks, and how many it removes. */
const LOOKED_AT = 128
const SWEPT = 16
/** Folders that could not be removed, and worktrees that have not landed, are checked again after this. */
const AGAIN_MS = 10 * 60_000
/** An unfinished landing locks the user's checkout. Usually it is under way and ends soon. */
const LANDINGS_AGAIN_MS = 15_000
/** The longest wait before a failed copy is retried. */
const AGAIN_MOST_MS = 4 * 3_600_000

const sweeperHere = (host: Host) => ({ process: sweepProcess(host), files: sweepFiles, machine: host.machine.id })

export class Janitor {
  /** The last folder that was checked, by board. */
  readonly #places = new Map<string, string>()
  /** Cards whose history says that their folder waits for a child; and cards whose folder does not wait. */
  readonly #deferred = new Set<TaskId>()
  readonly #free = new Set<TaskId>()
  /** When to retry: by card, by board for its trash, and by board for its interrupted sweeps. */
  readonly #notBefore = new Map<string, number>()
  /** How many copies in a row have failed, by card. */
  readonly #failed = new Map<TaskId, number>()
  readonly #budget = new KeptSizeLimit()
  #sweeping: Promise<void> | null = null
  #began = 0
  #stopped = false
  readonly #findsLost: boolean

  /** Finding interrupted sweeps reads every card, so single passes leave it to `muster up` and `muster gc`. */
  constructor({ findsLost = true } = {}) {
    this.#findsLost = findsLost
  }

  /** Starts a sweep unless one is under way or has just begun. The next sweep retries what fails. */
  start(context: DispatchContext): void {
    if (this.#sweeping !== null || Date.now() - this.#began < context.options.sweepMs) return
    this.#began = Date.now()
    this.#sweeping = this.sweepAll(context)
      .catch(() => {})
      .finally(() => {
        this.#sweeping = null
      })
  }

  /** Ends after the current folder. */
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
      actor: DISPATCHER,
      protectedPaths: readProtectedPaths(store, boards),
      ...sweeperHere(host),
    }
    const slugs = boards.map(({ slug }) => slug).filter((slug) => onlyBoard === null || slug === onlyBoard)
    for (const slug of slugs) {
      const ids = await this.#next(home, slug)
      if (this.#stopped) return
      const before = (await store.now()) - workspaceStaysMs
      const due = (await store.sweepable(slug, ids, before)).filter((id) => this.#mayTry(id))
      for (const id of due.slice(0, SWEPT)) if (!this.#stopped) await this.#sweep(sweeper, slug, id)
      await this.#note(sweeper, slug, { ids, deferred: await store.sweepDeferred(slug, ids) })
      await this.#emptyTrash(sweeper, slug)
      await this.#finishInterruptedSweeps({ sweeper, board: slug, machine: host.machine.id, there: ids, before })
    }
    const asked = { home, boards: slugs, limitBytes: workspaceStaysBytes }
    for (const { board, id } of await this.#budget.exceeding(store, asked))
      if (!this.#stopped && this.#mayTry(id)) await this.#sweep(sweeper, board, id)
  }

  async #recoverLandings(home: string): Promise<void> {
    const key = 'landings'
    if (this.#mayTry(key) && (await recoverLandings(home)) > 0) this.#notBefore.set(key, Date.now() + LANDINGS_AGAIN_MS)
  }

  async #sweep(sweeper: Sweeper, board: string, id: TaskId): Promise<void> {
    this.#notBefore.set(id, Date.now() + AGAIN_MS)
    const { state, reason } = await sweepWorkspace(sweeper, { board, id })
    const failed = state === 'postponed' ? (this.#failed.get(id) ?? 0) + 1 : 0
    if (failed === 0) this.#failed.delete(id)
    else {
      this.#failed.set(id, failed)
      this.#notBefore.set(id, Date.now() + Math.min(AGAIN_MS * 2 ** (failed - 1), AGAIN_MOST_MS))
    }
    if (state === 'gone' && reason !== null) this.#notBefore.set(board, Date.now() + AGAIN_MS)
    if (state !== 'gone') return
    this.#notBefore.delete(id)
    this.#free.delete(id)
  }

  /** Logs once that a folder waits, even if another dispatcher takes over meanwhile. */
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
      // A folder that already waits at the first check may have been logged by an earlier dispatcher.
      const known = !this.#free.delete(id) && (await isAlreadyLogged(store, { board, id }, { kind: 'sweep_deferred' }))
      if (!known) await store.decide({ verb: 'sweep', board, actor, input: { task: id, stage: 'defer' } })
      this.#deferred.add(id)
    }
  }

  async #finishInterruptedSweeps(lost: InterruptedSweeps): Promise<void> {
    const key = `lost on ${lost.board}`
    if (!this.#findsLost || !this.#mayTry(key)) return
    this.#notBefore.set(key, Date.now() + AGAIN_MS)
    await finishInterruptedSweeps(lost)
  }

  async #emptyTrash(sweeper: Sweeper, board: string): Promise<void> {
    if (!this.#mayTry(board)) return
    const left = await finishTrash(sweeper, board, SWEPT)
    if (left.length > 0) this.#notBefore.set(board, Date.now() + AGAIN_MS)
  }

  #mayTry(what: string): boolean {
    return (this.#notBefore.get(what) ?? 0) <= Date.now()
  }

  /** The folders after the last one that was checked, wrapping around at the end. */
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
