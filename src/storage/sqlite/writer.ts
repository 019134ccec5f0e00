/**
 * The single writer of a connection. SQLite's busy handler is unfair between processes: one process gets the lock again
 * and again while another waits for seconds. So the writer retries the lock itself after short random sleeps. It also
 * pauses between its commits while other processes write (measured with 8 processes: p99 17 ms, worst 48 ms, instead of
 * waits of 1-3 s). A process that writes alone never pauses.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BoardError } from '../../core/errors.ts'
import { sql } from '../sql.ts'
import { Conflict } from '../tx.ts'
import type { Tx } from '../tx.ts'
import { drive } from './connection.ts'
import type { Connection } from './connection.ts'
import { isBusy } from './errors.ts'
import { monotonicMs } from '../../util/monotonic.ts'

/** The longest wait for the lock, after which the caller gets `store_busy`. */
const LOCK_TIMEOUT_MS = 30_000
/** The longest pause between two commits. A pause takes at most as long as this process waited for the lock. */
const LONGEST_PAUSE_MS = 6
/** The longest time that waiting may block the event loop. */
const BLOCKING_MS = 2
/** How long a process pauses between commits after it last noticed another writer. */
const CONTENTION_MS = 1_000
/** How often a process checks for other writers. It also notices them whenever the lock is busy. */
const POLL_MS = 10
const RERUNS = 5

const sleeper = new Int32Array(new SharedArrayBuffer(4))
const sleepSync = (ms: number): void => void Atomics.wait(sleeper, 0, 0, ms)

export class Writer {
  readonly #connection: Connection
  #queue: Promise<unknown> = Promise.resolve()
  #contendedUntil = 0
  #pauseUntil = 0
  #seenVersion = -1
  #nextPollAt = 0

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Runs the body in an immediate transaction, one at a time. After a Conflict it runs the body again. */
  transact<T>(body: () => Tx<T>): Promise<T> {
    const turn = this.#queue.then(() => this.#run(body))
    this.#queue = turn.catch(() => undefined)
    return turn
  }

  /** Resolves when all transactions in the queue are done. */
  async idle(): Promise<void> {
    await this.#queue
  }

  async #run<T>(body: () => Tx<T>): Promise<T> {
    for (let rerun = 0; ; rerun++) {
      const since = monotonicMs()
      for (const wait = this.#lockWait(); !this.#begin();) await wait()
      const waitedMs = monotonicMs() - since
      // No await from here to the commit: nothing else may run inside the transaction.
      try {
        this.#detectOtherWriters()
        const result = drive(this.#connection, body())
        this.#connection.exec('commit')
        this.#pauseUntil = monotonicMs() + Math.random() * Math.min(LONGEST_PAUSE_MS, Math.max(1, waitedMs))
        return result
      } catch (error) {
        rollBack(this.#connection)
        if (!(error instanceof Conflict) || rerun >= RERUNS) throw error
      }
    }
  }
  /** Takes the write lock; false if another process has it. */
  #begin(): boolean {
    this.#pauseForOthers()
    try {
      this.#connection.exec('begin immediate')
      return true
    } catch (error) {
      if (!isBusy(error)) throw error
      this.#noteContention()
      return false
    }
  }

  /** Returns a function that sleeps for a short random time, lets the event loop run, and throws after the timeout. */
  #lockWait(): () => Promise<void> {
    const since = monotonicMs()
    let turnedAt = since
    return async () => {
      const now = monotonicMs()
      if (now - since > LOCK_TIMEOUT_MS)
        throw new BoardError(
          'store_busy',
          `The store ${this.#connection.path} has been busy for ${LOCK_TIMEOUT_MS / 1000} s: try again later.`,
        )
      sleepSync(0.1 + Math.random() * 0.4)
      if (now - turnedAt < BLOCKING_MS) return
      await nextTurn()
      turnedAt = monotonicMs()
    }
  }

  /** `data_version` changes when another connection commits. */
  #detectOtherWriters(): void {
    const now = monotonicMs()
    if (now < this.#nextPollAt) return
    this.#nextPollAt = now + POLL_MS
    const version = Number(this.#connection.query(sql`pragma data_version`)[0]?.data_version)
    if (this.#seenVersion !== -1 && version !== this.#seenVersion) this.#noteContention()
    this.#seenVersion = version
  }

  #noteContention(): void {
    this.#contendedUntil = monotonicMs() + CONTENTION_MS
  }

  /** Pauses between two commits of this process, so that a waiting process finds the lock free. */
  #pauseForOthers(): void {
    const now = monotonicMs()
    if (now < this.#contendedUntil && now < this.#pauseUntil) sleepSync(this.#pauseUntil - now)
  }
}

/** Ends the transaction after an error. It never throws, so that the caller can throw the original error. */
export function rollBack(connection: Connection): void {
  try {
    if (connection.inTransaction) connection.exec('rollback')
  } catch {
    // SQLite has already rolled back, for example because of a full disk or an I/O error.
  }
}
