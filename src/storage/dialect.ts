/** The few things that the engines do differently. All other SQL is written once, in `queries/`. */
import type { EventDraft } from '../core/event.ts'
import type { Sql } from './sql.ts'
import type { Asking, Tx } from './tx.ts'

export interface EventRow {
  readonly board: string
  readonly actor: string
  readonly createdAt: number
  readonly draft: EventDraft
}

export interface Dialect {
  readonly engine: 'sqlite' | 'postgres'
  readonly engineVersion: string
  /** Row locks. Empty on SQLite, which has one writer. */
  readonly forUpdate: Sql
  /** A weaker lock than `forUpdate`: others may still write rows that refer to the locked row by a foreign key. */
  readonly forNoKeyUpdate: Sql
  readonly forShare: Sql

  /** The store's clock. A decision reads it after it has its locks. */
  now(): Asking<number>
  /** Serialises all changes of a board's links, so that two concurrent ones cannot form a cycle. */
  lockGraph(board: string): Tx<void>
  /** Writes events, so that their feed ids become visible in order. It must be the last statement before the commit. */
  appendEvents(events: readonly EventRow[]): Tx<void>
  /** The last feed id in use. */
  lastEventId(): Asking<number>

  /** Runs a writing transaction. After a Conflict, a deadlock or a serialisation failure, it runs the body again. */
  transact<T>(body: () => Tx<T>): Promise<T>
  /** Runs statements that only read, all in one snapshot. */
  read<T>(body: () => Tx<T>): Promise<T>
  /** Wakes every watcher after a commit: touches the bell file, or sends NOTIFY. It never throws. */
  ring(): void
  watch(onChange: () => void): Promise<{ stop(): Promise<void> }>
  /** The damage that the engine finds in the storage; empty if there is none. */
  integrity(depth: 'quick' | 'full'): Promise<readonly string[]>
  /** Whether another file has replaced the open store. Writes to the old file would be lost. */
  isReplaced(): boolean
  close(options?: { exiting?: boolean }): Promise<void>
}
