/** The operations that the two engines do differently. All other SQL is written once, in `queries/`. */
import type { EventDraft } from '../core/event.ts'
import type { Sql } from './sql.ts'
import type { Asking, Tx } from './tx.ts'

export interface EventRow {
  readonly board: string
  readonly actor: string
  readonly createdAt: number
  readonly draft: EventDraft
}

/** A query that must return a row when the decision commits. If it returns no row, the store repeats the decision. */
export interface Condition {
  readonly query: Sql
  readonly orConflict: string
}

export interface Dialect {
  readonly engine: 'sqlite' | 'postgres'
  readonly engineVersion: string
  /** The SQL that locks rows. This is empty on SQLite, which has only one writer. */
  readonly forUpdate: Sql
  /** Like `forUpdate`, but other transactions may still write rows that refer to the locked row by a foreign key. */
  readonly forNoKeyUpdate: Sql
  readonly forShare: Sql

  /** The store's clock. A decision reads the clock after it has its locks. */
  now(): Asking<number>
  /** The clock as an SQL expression, to read it together with a row. Null means that `now` needs no statement. */
  readonly clock: Sql | null
  /**
   * Lets only one transaction at a time change the links of a board, so that two changes together cannot form a cycle.
   */
  lockGraph(board: string): Tx<void>
  /**
   * Writes events in such a way that their feed ids become visible in order. These must be the last statements before
   * the commit. From here until the commit, no other transaction can commit an event. The conditions are checked during
   * this time.
   */
  appendEvents(events: readonly EventRow[], conditions?: readonly Condition[]): Tx<void>
  /** The id of the newest event in the feed. */
  lastEventId(): Asking<number>
  /** A text that differs after every commit of any process. Null means that the engine has no such value. */
  revision(): Asking<string | null>

  /** Runs a writing transaction. After a `Conflict`, a deadlock or a serialisation failure, runs the body again. */
  transact<T>(body: () => Tx<T>): Promise<T>
  /** Runs a reading transaction. All its statements see the same snapshot. */
  read<T>(body: () => Tx<T>): Promise<T>
  /**
   * Wakes every watcher after a commit. SQLite touches the bell file, and PostgreSQL sends NOTIFY. This method never
   * throws an error.
   */
  ring(): void
  watch(onChange: () => void): Promise<{ stop(): Promise<void> }>
  /** The damage that the engine finds in its files. The list is empty if the files are intact. */
  integrity(depth: 'quick' | 'full'): Promise<readonly string[]>
  /** Whether another file has replaced the open store. In that case, writes would go to the old file and be lost. */
  isReplaced(): boolean
  close(options?: { exiting?: boolean }): Promise<void>
}
