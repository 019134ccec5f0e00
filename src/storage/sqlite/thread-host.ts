/**
 * The code in the store thread: it opens the store and answers requests by calling the methods of the store. The thread
 * ends when the store is closed.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { BoardError } from '../../core/errors.ts'
import type { OutcomeOf } from '../../core/command.ts'
import type { VerbName } from '../../core/transitions/index.ts'
import type { ExportedRow, Store } from '../store.ts'
import { openSqlite } from './open.ts'
import type { SqliteOptions } from './open.ts'
import { packError } from '../../util/packed-error.ts'
import { GIVEN_UP, OPENED, PAGES_AHEAD, TAKEN } from './thread-messages.ts'
import type { ThreadAnswer, PlainMethod, ThreadRequest, ThreadSetup } from './thread-messages.ts'

export async function hostStore(options: Pick<SqliteOptions, 'clock' | 'shift'>): Promise<void> {
  if (parentPort === null)
    throw new BoardError('internal', 'This program only runs as a worker thread of another program.')
  const port = parentPort
  const { path, mode } = workerData as ThreadSetup
  try {
    const host = new ThreadHost(await openSqlite(path, { ...options, mode }), port)
    port.on('message', (questions: readonly ThreadRequest[]) => {
      for (const question of questions) void host.answer(question)
    })
    host.send({ id: OPENED, is: 'value', value: host.engineVersion })
  } catch (error) {
    port.postMessage([{ id: OPENED, is: 'failure', error: packError(error) }] satisfies readonly ThreadAnswer[])
  }
}

class ThreadHost {
  readonly #store: Store
  readonly #port: MessagePort
  readonly #unsent: ThreadAnswer[] = []
  readonly #watches = new Map<number, { stop(): Promise<void> }>()

  constructor(store: Store, port: MessagePort) {
    this.#store = store
    this.#port = port
  }

  get engineVersion(): string {
    return this.#store.engineVersion
  }

  /** Sends the answer together with the other answers of this turn of the event loop. */
  send(answer: ThreadAnswer): void {
    if (this.#unsent.length === 0) setImmediate(() => this.#flush())
    this.#unsent.push(answer)
  }

  #flush(): void {
    if (this.#unsent.length > 0) this.#port.postMessage(this.#unsent.splice(0))
  }

  async answer(question: ThreadRequest): Promise<void> {
    const { id } = question
    try {
      this.send(await this.#answerTo(question))
    } catch (error) {
      this.send({ id, is: 'failure', error: packError(error) })
    }
    if (question.ask !== 'close') return
    this.#flush()
    this.#port.close()
  }

  async #answerTo(question: ThreadRequest): Promise<ThreadAnswer> {
    const { id } = question
    switch (question.ask) {
      case 'decide':
        return outcomeAnswer(id, await this.#call('decide', question.with))
      case 'watch':
        return { id, is: 'value', value: await this.#watch(question.watch) }
      case 'unwatch':
        return { id, is: 'value', value: await this.#unwatch(question.watch) }
      case 'export':
        return { id, is: 'value', value: await this.#store.exportPages(this.#sink(id, question.progress)) }
      case 'close':
        return { id, is: 'value', value: await this.#store.close({ exiting: question.exiting }) }
      default:
        return { id, is: 'value', value: await this.#call(question.ask, question.with) }
    }
  }

  #call(method: PlainMethod, given: readonly unknown[]): Promise<unknown> {
    const store = this.#store as unknown as Record<PlainMethod, (...given: readonly unknown[]) => Promise<unknown>>
    return store[method](...given)
  }

  async #watch(watch: number): Promise<void> {
    this.#watches.set(watch, await this.#store.watch(() => this.send({ id: watch, is: 'change' })))
  }

  async #unwatch(watch: number): Promise<void> {
    await this.#watches.get(watch)?.stop()
    this.#watches.delete(watch)
  }

  /**
   * Passes pages of an export to the main thread. The thread is blocked while too many pages are unread, because an
   * export cannot await.
   */
  #sink(id: number, progress: SharedArrayBuffer): (table: string, rows: readonly ExportedRow[]) => void {
    const shared = new Int32Array(progress)
    let sent = 0
    return (table, rows) => {
      this.send({ id, is: 'page', table, rows: rows as readonly never[] })
      // The thread is blocked below, so the page must be sent now.
      this.#flush()
      sent += 1
      for (let taken = Atomics.load(shared, TAKEN); sent - taken > PAGES_AHEAD; taken = Atomics.load(shared, TAKEN))
        Atomics.wait(shared, TAKEN, taken)
      if (Atomics.load(shared, GIVEN_UP) !== 0) throw new BoardError('internal', 'The export was cancelled.')
    }
  }
}

function outcomeAnswer(id: number, value: unknown): ThreadAnswer {
  const outcome = value as OutcomeOf<VerbName>
  return outcome.ok ? { id, is: 'value', value } : { id, is: 'refusal', error: packError(outcome.error) }
}
