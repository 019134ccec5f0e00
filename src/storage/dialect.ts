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
  /** Like `forUpdate`, but rows that refer to this one may still be written. */
  readonly forNoKeyUpdate: Sql
  readonly forShare: Sql

  /** The store's clock; read after the locks of a decision. */
  now(): Asking<number>
  /** Serialises all changes of a board's links, so that two concurrent ones cannot form a cycle. */
  lockGraph(board: string): Tx<void>
  /** Writes events, whose feed ids become visible in order. It must be the last statement before the commit. */
  appendEvents(events: readonly EventRow[]): Tx<void>
  /** The last feed id in use. */
  lastEventId(): Asking<number>

  /** Runs a writing transaction; a Conflict, a deadlock or a serialisation failure runs the body again. */
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
