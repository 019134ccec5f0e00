/** The few things engines do differently. Everything else is one text in `queries/`. */
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
  /** Row locks. SQLite has one writer, so its transactions need none. */
  readonly forUpdate: Sql
  readonly forShare: Sql

  /** Lets a server answer the questions of one round in one statement, from one snapshot. */
  inSnapshot<T>(name: string, asker: Asking<T>): Asking<T>
  /** The store's clock; read after the locks of a decision. */
  now(): Asking<number>
  /** Serialises every change of a board's edges, so that no two can close a cycle together. */
  lockGraph(board: string): Tx<void>
  /** Writes events with feed ids that become visible in order. The last statement before commit. */
  appendEvents(events: readonly EventRow[]): Tx<void>
  /** The feed id handed out last. */
  lastEventId(): Asking<number>

  /** Runs a writing transaction; a Conflict, a deadlock or a serialisation failure runs the body again. */
  transact<T>(body: () => Tx<T>): Promise<T>
  /** Runs statements that only read, all in one snapshot. */
  read<T>(body: () => Tx<T>): Promise<T>
  /** Tells every watcher that something was committed. Cheap, and never fails a commit that has happened. */
  ring(): void
  watch(onChange: () => void): Promise<{ stop(): Promise<void> }>
  /** Faults of the storage itself, as the engine reports them; empty when sound. */
  integrity(depth: 'quick' | 'full'): Promise<readonly string[]>
  /** Whether another file has replaced the open store: writes to the old one are lost. */
  isReplaced(): boolean
  close(options?: { exiting?: boolean }): Promise<void>
}
