/**
 * An embedded store in a thread of this process, so that neither a slow disk nor a wait for the lock blocks the event
 * loop. It has the same interface as any other store.
 *   opening → open → closed (by the caller) or lost (the thread ended on its own; every later call fails)
 */
import { Worker } from 'node:worker_threads'
import { BoardError } from '../../core/errors.ts'
import type { ExportedRow, Store } from '../store.ts'
import { holdStoreFiles } from '../../util/store-files.ts'
import { unpackError } from '../../util/packed-error.ts'
import { GIVEN_UP, OPENED, TAKEN } from './thread-messages.ts'
import type { ThreadAnswer, PlainMethod, ThreadRequest, ThreadSetup } from './thread-messages.ts'

/** The heap for young objects. A thread holds the rows of one request, so a small heap is enough. */
const YOUNG_MB = 4

/** `program`: the file that the thread runs. It calls `hostStore`. */
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
    // The store in the thread has the same methods, so the types hold.
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
 * A second thread for queries that may read a whole board, so that decisions do not wait for them. It starts with the
 * first such query, because a thread takes 12 MB. It sees every commit that was reported before the query.
 */
class LazyReader {
  readonly #program: string
  readonly #path: string
  #thread: Promise<StoreThread> | null = null

  constructor(program: string, path: string) {
    this.#program = program
    this.#path = path
  }

  /** Starts the reader again if it could not open the store, or has ended. */
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

/** Which thread answers each method. A missing method does not compile. */
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
  taskEvents: 'writer',
  openParents: 'writer',
  tasksById: 'writer',
  handOffs: 'writer',
  recentWork: 'writer',
  admissionFacts: 'writer',
  gatingParents: 'writer',
  withoutBody: 'writer',
  inbox: 'writer',
  columns: 'writer',
  finishedSince: 'writer',
  hiddenCount: 'reader',
  groups: 'writer',
  readySince: 'writer',
  reviews: 'reader',
  usage: 'reader',
  counts: 'writer',
  account: 'writer',
  accounts: 'writer',
  tokens: 'writer',
  tokenByHash: 'writer',
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
  recentCrashes: 'writer',
  openRuns: 'writer',
  now: 'writer',
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
  readonly #watchers = new Map<number, () => void>()
  #lastId = OPENED
  /** The error for every further request; null while the thread runs. */
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
    worker.on('message', (answer: ThreadAnswer) => this.#receive(answer))
    this.#ended = new Promise((resolve) => {
      worker.once('exit', (code) => {
        this.#lose(code, fault)
        this.#release()
        resolve()
      })
    })
    const hold = (version: unknown): unknown => {
      // SQLite's locks belong to the whole process, so the main thread must not close these files either.
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
    this.#worker.postMessage({ ...question, id })
    return this.#expect(id, take)
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

  /** Waits for the thread to end, unless the process ends next anyway. */
  async close({ exiting = false } = {}): Promise<void> {
    if (this.#over !== null) return
    const closed = this.ask({ ask: 'close', exiting })
    this.#over = new BoardError('internal', `The store ${this.#path} was used after it was closed.`)
    this.#watchers.clear()
    await closed
    if (!exiting) await this.#end()
  }

  /** Waits for the thread, which ends on its own once its store is closed or could not be opened. */
  #end(): Promise<void> {
    this.#worker.ref()
    return this.#ended
  }

  /** A thread with pending requests keeps the process alive; an idle thread does not. */
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

  /** Also wakes all watchers: their next request then fails with the reason. */
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
