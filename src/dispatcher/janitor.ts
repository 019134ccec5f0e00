/**
 * Sweeps what finished cards left in the folders of this machine, beside the passes: copying and removing may take
 * longer than any card should wait to start. It goes by what is on the disk, so whatever a crash left is found again, and
 * looks at only so many folders each time.
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
import { sweepFiles } from '../file-helper/sweep-files.ts'
import { sweepProcess } from '../workspaces/sweep/sweep-process.ts'
import { DISPATCHER } from './actor.ts'
import type { DispatchContext } from './dispatch-context.ts'

/** Folders looked at in one round, and folders swept. */
const LOOKED_AT = 128
const SWEPT = 16
/** What could not be removed, and worktrees that had not landed, are looked at again after this. */
const AGAIN_MS = 10 * 60_000
/** A landing that cannot be recovered keeps the user's checkout locked; mostly it is under way and ends soon. */
const LANDINGS_AGAIN_MS = 15_000
/** What could not be copied is tried again after this, at the latest. */
const AGAIN_MOST_MS = 4 * 3_600_000

const sweeperHere = (host: Host) => ({ process: sweepProcess(host), files: sweepFiles, machine: host.machine.id })

export class Janitor {
  /** The folder that the last round came to, by board. */
  readonly #places = new Map<string, string>()
  /** Cards whose folder waits for a child, as their history says; and those that were seen not to. */
  readonly #deferred = new Set<TaskId>()
  readonly #free = new Set<TaskId>()
  /** When these may be tried again: cards, the trash of boards, and their lost sweeps. */
  readonly #notBefore = new Map<string, number>()
  /** How often these could not be copied, one time after the other. */
  readonly #failed = new Map<TaskId, number>()
  readonly #budget = new KeptSizeLimit()
  #round: Promise<void> | null = null
  #began = 0
  #stopped = false
  readonly #findsLost: boolean

  /** Lost sweeps are found by reading every card: a single pass leaves that to those who go on, and to `muster gc`. */
  constructor({ findsLost = true } = {}) {
    this.#findsLost = findsLost
  }

  /** Begins a round unless one is under way, or was a moment ago. What fails in it is left for the next. */
  start(context: DispatchContext): void {
    if (this.#round !== null || Date.now() - this.#began < context.options.sweepMs) return
    this.#began = Date.now()
    this.#round = this.round(context)
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

  async round({
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

  /** Once for as long as a folder waits, also if another dispatcher takes over meanwhile. */
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
      // One that waits from the first look on may have waited before, and the history tell it.
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
