/**
 * A store in a file, opened in a thread of this process. So neither a slow disk nor a wait for the lock blocks the
 * event loop. The interface is that of any other store. The store is first opening, then open, and then closed by the
 * caller or lost. It is lost if its thread ends unexpectedly; every later call fails.
 */
import { Worker } from 'node:worker_threads'
import { BoardError } from '../../core/errors.ts'
import type { ExportedRow, Store } from '../store.ts'
import { holdStoreFiles } from '../../util/store-files.ts'
import { unpackError } from '../../util/packed-error.ts'
import { GIVEN_UP, OPENED, TAKEN } from './thread-messages.ts'
import type { ThreadAnswer, PlainMethod, ThreadRequest, ThreadSetup } from './thread-messages.ts'

/** The size of the heap for young objects. A thread holds only the rows of one request, so a small heap is enough. */
const YOUNG_MB = 4

/** Opens a store in a thread. The thread runs the file `program`, which calls `hostStore`. */
export async function openInThread(program: string, { path, mode }: ThreadSetup): Promise<Store> {
  const writer = new StoreThread(program, { path, mode })
  const engineVersion = (await writer.opened) as string
  const reader = new LazyReader(program, path)
  const plain = Object.entries(PLAIN_METHODS).map(([name, thread]) => [
    name,
    async (...given: readonly unknown[]) =>
      (thread === 'reader' ? await reader.thread() : writer).ask({ ask: name as PlainMethod, with: given }),
  ])
  return {
    // The cast is safe, because the store in the thread has the same methods.
    ...(Object.fromEntries(plain) as Pick<Store, PlainMethod>),
    engine: 'sqlite',
    engineVersion,
    watch: (onChange) => writer.watch(onChange),
    exportPages: async (sink) => (await reader.thread()).exportPages(sink),
    close: async (options) => {
      await reader.close(options)
      await writer.close(options)
    },
  }
}

/**
 * A second thread for queries that may read a whole board, so that decisions do not wait for these queries. The thread
 * starts with the first such query, because a thread takes 12 MB. It sees every commit that was reported before the
 * query.
 */
class LazyReader {
  readonly #program: string
  readonly #path: string
  #thread: Promise<StoreThread> | null = null

  constructor(program: string, path: string) {
    this.#program = program
    this.#path = path
  }

  /** Returns the thread. If the thread has ended or could not open the store, starts it again. */
  async thread(): Promise<StoreThread> {
    const started = (this.#thread ??= this.#start())
    try {
      const thread = await started
      if (!thread.isOver) return thread
    } catch (error) {
      this.#thread = null
      throw error
    }
    this.#thread = null
    return this.thread()
  }

  async #start(): Promise<StoreThread> {
    const thread = new StoreThread(this.#program, { path: this.#path, mode: 'read' })
    await thread.opened
    return thread
  }

  async close(options?: { exiting?: boolean }): Promise<void> {
    const thread = await this.#thread?.catch(() => null)
    await thread?.close(options)
  }
}

/** The thread that answers each method. The compiler reports a missing method. */
const PLAIN_METHODS: Readonly<Record<PlainMethod, 'writer' | 'reader'>> = {
  decide: 'writer',
  renewLease: 'writer',
  boards: 'writer',
  board: 'writer',
  task: 'writer',
  tasks: 'reader',
  tasksByPrefix: 'writer',
  runs: 'writer',
  run: 'writer',
  comments: 'reader',
  comment: 'writer',
  answers: 'writer',
  attachments: 'writer',
  swarmMembers: 'writer',
  verifications: 'writer',
  blackboard: 'writer',
  taskEvents: 'writer',
  openParents: 'writer',
  tasksById: 'writer',
  handOffs: 'writer',
  recentWork: 'writer',
  admissionFacts: 'writer',
  gatingParents: 'writer',
  linkedCards: 'reader',
  withoutBody: 'writer',
  inbox: 'writer',
  cardHistories: 'reader',
  activity: 'reader',
  summary: 'reader',
  sharedFacts: 'writer',
  columns: 'reader',
  cardGroups: 'reader',
  finishedSince: 'writer',
  hiddenCount: 'reader',
  groups: 'writer',
  readySince: 'writer',
  reviews: 'reader',
  usage: 'reader',
  totals: 'reader',
  runEndings: 'reader',
  counts: 'writer',
  series: 'writer',
  seriesById: 'writer',
  seriesCards: 'reader',
  dueSeries: 'writer',
  nextSeriesAt: 'writer',
  account: 'writer',
  accounts: 'writer',
  tokens: 'writer',
  tokenByHash: 'writer',
  savedViews: 'writer',
  slots: 'writer',
  dispatchers: 'writer',
  dispatcher: 'writer',
  dispatcherMemory: 'writer',
  feed: 'writer',
  cardFeed: 'writer',
  due: 'writer',
  nextDue: 'writer',
  lanes: 'writer',
  laneHead: 'writer',
  laneSize: 'writer',
  waiting: 'writer',
  plannableCards: 'writer',
  openTournaments: 'writer',
  recentCrashes: 'writer',
  openRuns: 'writer',
  now: 'writer',
  revision: 'writer',
  nudge: 'writer',
  doctor: 'writer',
  checkAfterBoot: 'writer',
  exportAll: 'reader',
  sweepEvents: 'writer',
  deletedBefore: 'writer',
  unfinishedChild: 'writer',
  workedOn: 'writer',
  bodyWriter: 'writer',
  sweepable: 'writer',
  sweepDeferred: 'writer',
  sweeping: 'reader',
  namedPlaces: 'reader',
  runEnds: 'writer',
  everKnown: 'writer',
  storedPaths: 'writer',
  recordedFiles: 'reader',
}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  readonly take?: (table: string, rows: readonly ExportedRow[]) => void
}

class StoreThread {
  readonly opened: Promise<unknown>
  readonly #path: string
  #release = (): void => {}
  readonly #worker: Worker
  readonly #ended: Promise<void>
  readonly #waiting = new Map<number, Waiting>()
  readonly #unsent: ThreadRequest[] = []
  readonly #watchers = new Map<number, () => void>()
  #lastId = OPENED
  /** The error that every further request gets. This is null while the thread runs. */
  #over: BoardError | null = null

  constructor(program: string, setup: ThreadSetup) {
    this.#path = setup.path
    const worker = new Worker(program, {
      workerData: setup,
      // The Node flags of this process are not meant for the thread.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    })
    this.#worker = worker
    let fault: Error | null = null
    worker.on('error', (error: Error) => (fault = error))
    worker.on('message', (answers: readonly ThreadAnswer[]) => {
      for (const answer of answers) this.#receive(answer)
    })
    this.#ended = new Promise((resolve) => {
      worker.once('exit', (code) => {
        this.#lose(code, fault)
        this.#release()
        resolve()
      })
    })
    const hold = (version: unknown): unknown => {
      // SQLite's locks belong to the whole process. So no code in this process may close the files that the thread has
      // open.
      this.#release = holdStoreFiles(setup.path)
      return version
    }
    this.opened = this.#expect(OPENED).then(hold, async (error: unknown) => {
      await this.#end()
      throw error
    })
  }

  get isOver(): boolean {
    return this.#over !== null
  }

  async ask(question: WithoutId<ThreadRequest>, take?: Waiting['take']): Promise<unknown> {
    if (this.#over !== null) throw this.#over
    const id = ++this.#lastId
    if (this.#unsent.length === 0) queueMicrotask(() => this.#send())
    this.#unsent.push({ ...question, id })
    return this.#expect(id, take)
  }

  /** Sends all requests of this turn of the event loop at once, because a message costs more than most queries. */
  #send(): void {
    const unsent = this.#unsent.splice(0)
    try {
      this.#worker.postMessage(unsent)
    } catch (error) {
      for (const { id } of unsent) this.#settled(id)?.reject(error)
    }
  }

  async watch(onChange: () => void): Promise<{ stop(): Promise<void> }> {
    const watch = ++this.#lastId
    this.#watchers.set(watch, onChange)
    try {
      await this.ask({ ask: 'watch', watch })
    } catch (error) {
      this.#watchers.delete(watch)
      throw error
    }
    return {
      stop: async () => {
        if (this.#watchers.delete(watch) && this.#over === null) await this.ask({ ask: 'unwatch', watch })
      },
    }
  }

  async exportPages(sink: (table: string, rows: readonly ExportedRow[]) => void): Promise<void> {
    const progress = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)
    const shared = new Int32Array(progress)
    const faults: unknown[] = []
    const take = (table: string, rows: readonly ExportedRow[]): void => {
      try {
        if (faults.length === 0) sink(table, rows)
      } catch (error) {
        faults.push(error)
        Atomics.store(shared, GIVEN_UP, 1)
      }
      Atomics.add(shared, TAKEN, 1)
      Atomics.notify(shared, TAKEN)
    }
    try {
      await this.ask({ ask: 'export', progress }, take)
    } catch (error) {
      throw faults[0] ?? error
    }
    if (faults.length > 0) throw faults[0]
  }

  /** Closes the store. Waits until the thread has ended, unless the process is about to end. */
  async close({ exiting = false } = {}): Promise<void> {
    if (this.#over !== null) return
    const closed = this.ask({ ask: 'close', exiting })
    this.#over = new BoardError('internal', `The store ${this.#path} was used after it was closed.`)
    this.#watchers.clear()
    await closed
    if (!exiting) await this.#end()
  }

  /** Waits until the thread ends. The thread ends when its store is closed or could not be opened. */
  #end(): Promise<void> {
    this.#worker.ref()
    return this.#ended
  }

  /** Keeps the process alive while the thread has a pending request. An idle thread does not keep the process alive. */
  #expect(id: number, take?: Waiting['take']): Promise<unknown> {
    if (this.#waiting.size === 0) this.#worker.ref()
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, ...(take && { take }) })
    })
  }

  #settled(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#worker.unref()
    return waiting
  }

  #receive(answer: ThreadAnswer): void {
    switch (answer.is) {
      case 'change':
        return this.#watchers.get(answer.id)?.()
      case 'page':
        return this.#waiting.get(answer.id)?.take?.(answer.table, answer.rows)
      case 'value':
        return this.#settled(answer.id)?.resolve(answer.value)
      case 'refusal':
        return this.#settled(answer.id)?.resolve({ ok: false, error: unpackError(answer.error) })
      case 'failure':
        return this.#settled(answer.id)?.reject(unpackError(answer.error))
    }
  }

  /** Fails all pending requests, and wakes all watchers, so that their next request fails with the reason. */
  #lose(code: number, fault: Error | null): void {
    const why = fault === null ? `exit code ${code}` : fault.message
    this.#over ??= new BoardError(
      'internal',
      `The thread of the store ${this.#path} stopped (${why}). Nothing is lost. Run the command again.`,
      fault === null ? {} : { cause: fault },
    )
    for (const id of this.#waiting.keys()) this.#settled(id)?.reject(this.#over)
    for (const onChange of this.#watchers.values()) onChange()
  }
}
