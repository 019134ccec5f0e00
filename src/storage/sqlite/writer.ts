/**
 * The one writer of a connection. Between processes SQLite is unfair: its busy handler lets one process take
 * everything while another stalls for seconds. So we take the lock ourselves, in short random steps, and whoever has
 * company pauses between its commits (measured with 8 processes: p99 17 ms and worst 48 ms, against stalls of 1-3 s).
 * A process that is alone never pauses: seeing others is what turns the pause on.
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

/** Longest time a caller waits for the lock before it is told to come back. */
const PATIENCE_MS = 30_000
/** Longest rest between two commits: as long as one had to wait oneself, so that others get their turn. */
const LONGEST_REST_MS = 6
/** Longest stretch that waiting may keep the event loop from its other work. */
const BLOCKING_MS = 2
/** How long a process that has met another one keeps pausing after its commits. */
const COMPANY_MS = 1_000
/** How often it looks for others; meeting them at the lock shows them at once. */
const LOOK_MS = 10
const RERUNS = 5

const sleeper = new Int32Array(new SharedArrayBuffer(4))
const sleepSync = (ms: number): void => void Atomics.wait(sleeper, 0, 0, ms)

export class Writer {
  readonly #connection: Connection
  #queue: Promise<unknown> = Promise.resolve()
  #companyUntil = 0
  #restUntil = 0
  #seenVersion = -1
  #lookAt = 0

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Runs the body in an immediate transaction, alone; a Conflict runs it again on fresh rows. */
  transact<T>(body: () => Tx<T>): Promise<T> {
    const turn = this.#queue.then(() => this.#run(body))
    this.#queue = turn.catch(() => undefined)
    return turn
  }

  /** Resolves when everything that was asked for has been done. */
  async idle(): Promise<void> {
    await this.#queue
  }

  async #run<T>(body: () => Tx<T>): Promise<T> {
    for (let rerun = 0; ; rerun++) {
      const since = monotonicMs()
      for (const wait = this.#patience(); !this.#begin();) await wait()
      const waitedMs = monotonicMs() - since
      // No await from here to the commit: nothing else may run inside the transaction.
      try {
        this.#lookForOthers()
        const result = drive(this.#connection, body())
        this.#connection.exec('commit')
        this.#restUntil = monotonicMs() + Math.random() * Math.min(LONGEST_REST_MS, Math.max(1, waitedMs))
        return result
      } catch (error) {
        rollBack(this.#connection)
        if (!(error instanceof Conflict) || rerun >= RERUNS) throw error
      }
    }
  }
  /** Takes the write lock now, or says that somebody else has it. */
  #begin(): boolean {
    this.#rest()
    try {
      this.#connection.exec('begin immediate')
      return true
    } catch (error) {
      if (!isBusy(error)) throw error
      this.#meetCompany()
      return false
    }
  }

  /** Short random sleeps, letting the event loop turn every few milliseconds, until patience ends. */
  #patience(): () => Promise<void> {
    const since = monotonicMs()
    let turnedAt = since
    return async () => {
      const now = monotonicMs()
      if (now - since > PATIENCE_MS)
        throw new BoardError(
          'store_busy',
          `The store ${this.#connection.path} has been busy for ${PATIENCE_MS / 1000} s: try again later.`,
        )
      sleepSync(0.1 + Math.random() * 0.4)
      if (now - turnedAt < BLOCKING_MS) return
      await nextTurn()
      turnedAt = monotonicMs()
    }
  }

  /** `data_version` changes when another connection has committed. */
  #lookForOthers(): void {
    const now = monotonicMs()
    if (now < this.#lookAt) return
    this.#lookAt = now + LOOK_MS
    const version = Number(this.#connection.query(sql`pragma data_version`)[0]?.data_version)
    if (this.#seenVersion !== -1 && version !== this.#seenVersion) this.#meetCompany()
    this.#seenVersion = version
  }

  #meetCompany(): void {
    this.#companyUntil = monotonicMs() + COMPANY_MS
  }

  /** A moment between two commits of ours, in which a waiting process finds the lock free. */
  #rest(): void {
    const now = monotonicMs()
    if (now < this.#companyUntil && now < this.#restUntil) sleepSync(this.#restUntil - now)
  }
}

/** Leaves the connection usable whatever happened; the error that led here is the one that counts. */
export function rollBack(connection: Connection): void {
  try {
    if (connection.inTransaction) connection.exec('rollback')
  } catch {
    // SQLite has already rolled back by itself (a full disk, an I/O error): the caller throws what came first.
  }
}
