import type { Dialect, EventRow } from '../dialect.ts'
import { EMPTY, join, sql } from '../sql.ts'
import { first, run } from '../tx.ts'
import type { Asking, Tx } from '../tx.ts'
import { Bell, bellOf, listen } from './bell.ts'
import type { Listening } from './bell.ts'
import { drive, inodeOf } from './connection.ts'
import type { Connection } from './connection.ts'
import { explain, isBusy, isCorrupt } from './errors.ts'
import { fullCheck, isMarked, quarantine, quickCheck, refuseWhileMarked } from './quarantine.ts'
import { Writer, rollBack } from './writer.ts'
import { monotonicMs } from '../../util/monotonic.ts'

const READ_TIMEOUT_MS = 10_000
/** The number of rows in one insert, well below SQLite's parameter limit. */
const EVENT_CHUNK = 500

const DATA_VERSION = sql`pragma data_version`

export class SqliteDialect implements Dialect {
  readonly engine = 'sqlite'
  readonly forUpdate = EMPTY
  readonly forNoKeyUpdate = EMPTY
  readonly forShare = EMPTY
  readonly clock = null
  readonly #connection: Connection
  readonly #writer: Writer
  readonly #clock: () => number
  readonly #writable: boolean
  readonly #bell: Bell
  readonly #watchers = new Set<{ readonly onChange: () => void }>()
  #listening: Listening | null = null
  #damaged = false

  constructor(connection: Connection, { clock, writable }: { clock: () => number; writable: boolean }) {
    this.#connection = connection
    this.#writer = new Writer(connection)
    this.#clock = clock
    this.#writable = writable
    this.#bell = new Bell(bellOf(connection.path))
  }

  get engineVersion(): string {
    return this.#connection.sqliteVersion
  }

  // oxlint-disable-next-line require-yield -- an embedded store uses the clock of this process
  *now(): Asking<number> {
    return this.#clock()
  }

  /** SQLite has one writer, so the graph needs no lock. */
  *lockGraph(): Tx<void> {}

  *appendEvents(events: readonly EventRow[]): Tx<void> {
    for (let at = 0; at < events.length; at += EVENT_CHUNK) {
      const values = events
        .slice(at, at + EVENT_CHUNK)
        .map(
          ({ board, actor, createdAt, draft }) =>
            sql`(${board}, ${draft.kind}, ${draft.taskId}, ${draft.runId ?? null}, ${actor}, ${createdAt}, ${JSON.stringify(draft.data)})`,
        )
      yield* run(
        sql`insert into event (board, kind, task_id, run_id, actor, created_at, data) values ${join(values, ', ')}`,
      )
    }
  }

  *lastEventId(): Asking<number> {
    const row = yield* first(sql`select seq from sqlite_sequence where name = 'event'`)
    return Number(row?.seq ?? 0)
  }

  /** SQLite's own number changes with the commits of other connections, and the writer counts those of this one. */
  *revision(): Asking<string> {
    const row = yield* first(DATA_VERSION)
    return `${Number(row?.data_version)} ${this.#writer.transactions}`
  }

  async transact<T>(body: () => Tx<T>): Promise<T> {
    refuseWhileMarked(this.#connection.path)
    try {
      return await this.#writer.transact(body)
    } catch (error) {
      throw this.#explained(error)
    }
  }

  async read<T>(body: () => Tx<T>): Promise<T> {
    const since = monotonicMs()
    for (;;) {
      try {
        return this.#snapshot(body)
      } catch (error) {
        if (!isBusy(error) || monotonicMs() - since > READ_TIMEOUT_MS) throw this.#explained(error)
      }
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }

  #snapshot<T>(body: () => Tx<T>): T {
    this.#connection.exec('begin')
    try {
      const result = drive(this.#connection, body())
      this.#connection.exec('commit')
      return result
    } catch (error) {
      rollBack(this.#connection)
      throw error
    }
  }

  /** A writer quarantines a damaged file at once. A reader only reports the damage. */
  #explained(error: unknown): unknown {
    const { path, file } = this.#connection
    if (!isCorrupt(error)) return explain(error, path)
    this.#damaged = true
    return this.#writable ? quarantine(path, error, file) : explain(error, path)
  }

  ring(): void {
    this.#bell.ring()
  }

  async watch(onChange: () => void): Promise<{ stop(): Promise<void> }> {
    const watcher = { onChange }
    this.#watchers.add(watcher)
    this.#listening ??= this.#listen()
    return {
      stop: async () => {
        this.#watchers.delete(watcher)
        if (this.#watchers.size > 0) return
        this.#listening?.stop()
        this.#listening = null
      },
    }
  }

  /** All watchers share one poll per second. */
  #listen(): Listening {
    let seen = this.#dataVersion()
    const changed = (): boolean => {
      try {
        const now = this.#dataVersion()
        const differs = now !== seen
        seen = now
        return differs
      } catch {
        // The error is ignored at this point, because the watcher's next read throws the same error.
        return true
      }
    }
    const notifyAll = (): void => {
      for (const { onChange } of this.#watchers) onChange()
    }
    return listen(bellOf(this.#connection.path), notifyAll, changed)
  }

  #dataVersion(): number {
    return Number(this.#connection.query(DATA_VERSION)[0]?.data_version)
  }

  /**
   * Whether another file has the path now. A missing file does not count as replaced, because a restore may be in
   * progress.
   */
  isReplaced(): boolean {
    const { file, path } = this.#connection
    const now = inodeOf(path)
    return file !== null && now !== null && now !== file
  }

  async integrity(depth: 'quick' | 'full'): Promise<readonly string[]> {
    await this.#writer.idle()
    return depth === 'quick' ? quickCheck(this.#connection) : fullCheck(this.#connection)
  }

  async close({ exiting = false } = {}): Promise<void> {
    await this.#writer.idle()
    this.#bell.close()
    try {
      await this.#connection.close({ asFound: this.#damaged || isMarked(this.#connection.path), exiting })
    } catch (error) {
      throw explain(error, this.#connection.path)
    }
  }
}
