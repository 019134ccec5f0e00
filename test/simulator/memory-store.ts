/**
 * The store of all simulations: SQLite in memory. Each simulation begins with an empty store, and may replace the store
 * while processes use it.
 */
import type { BoardEvent } from '../../src/core/event.ts'
import { SqlStore } from '../../src/storage/sql-store.ts'
import type { Store } from '../../src/storage/store.ts'
import { getMeta, setMeta } from '../../src/storage/migrate.ts'
import { BOARD, EVENT, LINK, RUN, TASK } from '../../src/storage/rows.ts'
import type { Table } from '../../src/storage/rows.ts'
import { join, raw, sql } from '../../src/storage/sql.ts'
import type { SqlValue } from '../../src/storage/sql.ts'
import { beginEpoch } from '../../src/storage/sqlite/backup.ts'
import { connect, drive } from '../../src/storage/sqlite/connection.ts'
import type { Connection } from '../../src/storage/sqlite/connection.ts'
import { SqliteDialect } from '../../src/storage/sqlite/dialect.ts'
import { MIGRATIONS } from '../../src/storage/sqlite/migrations.ts'
import type { BoardState } from '../helpers/invariants.ts'

/**
 * The migrations for counters and the text index, which are left out. No rule reads these tables, and they would slow
 * down every simulated write.
 */
const SKIPPED = ['tally', 'search']

/** The tables, in an order in which their rows can be inserted. */
const TABLES = [
  'board',
  'slot',
  'account',
  'dispatcher',
  'inbox_mark',
  'token',
  'saved_view',
  'series',
  'task',
  'run',
  'link',
  'comment',
  'attachment',
  'event',
  'meta',
]

type Row = Readonly<Record<string, SqlValue>>
/** All rows of a store at one moment. */
export type Copy = ReadonlyMap<string, readonly Row[]>

/** A real dialect checks whether another file has replaced its open file. This dialect returns a flag. */
class SimulatedDialect extends SqliteDialect {
  wasReplaced = false

  override isReplaced(): boolean {
    return this.wasReplaced
  }
}

/** One database file. Processes keep it open even after another file has replaced it. */
export class Database {
  readonly store: Store
  readonly #connection: Connection
  readonly #dialect: SimulatedDialect
  readonly #clock: () => number

  constructor(clock: () => number) {
    this.#clock = clock
    this.#connection = connect(':memory:', 'rwc')
    for (const { name, text } of MIGRATIONS) if (!SKIPPED.includes(name)) this.#connection.exec(text)
    this.#dialect = new SimulatedDialect(this.#connection, { clock, writable: true })
    this.store = new SqlStore(this.#dialect)
    this.empty()
  }

  empty(): void {
    this.#dialect.wasReplaced = false
    this.#clear()
    for (const [key, value] of [
      ['epoch', 'simulated'],
      ['floor', '0'],
    ] as const)
      drive(this.#connection, setMeta(key, value))
  }

  #clear(): void {
    for (const table of TABLES.toReversed()) this.#connection.exec(`delete from ${table}`)
    this.#connection.exec('delete from sqlite_sequence')
  }

  copy(): Copy {
    const rows = (table: string): readonly Row[] => this.#connection.query(sql`select * from ${raw(table)}`)
    return new Map([...TABLES, 'sqlite_sequence'].map((table) => [table, rows(table)]))
  }

  /** Restores a copy into this file. The restore closes the open runs of the copy and restarts the feed. */
  async fill(copy: Copy): Promise<void> {
    this.#clear()
    this.#connection.exec('pragma foreign_keys = off')
    for (const [table, rows] of copy) for (const row of rows) this.#insert(table, row)
    this.#connection.exec('pragma foreign_keys = on')
    await beginEpoch(this.#connection, this.store)
  }

  #insert(table: string, row: Row): void {
    const names = Object.keys(row).map((name) => `"${name}"`)
    const values = join(
      Object.values(row).map((value) => sql`${value}`),
      ', ',
    )
    this.#connection.query(sql`insert into ${raw(`${table} (${names.join(', ')})`)} values (${values})`)
  }

  loseName(): void {
    this.#dialect.wasReplaced = true
  }

  epoch(): string {
    return drive(this.#connection, getMeta('epoch')) ?? ''
  }

  lastEvent(): number {
    return Number(this.#connection.query(sql`select seq from sqlite_sequence where name = 'event'`)[0]?.seq ?? 0)
  }

  /** Returns all rows, but only the events after the given event. */
  state(afterEvent: number): BoardState {
    const all = <T>(table: Table<T>): T[] =>
      this.#connection.query(sql`select ${table.columns} from ${raw(table.name)}`).map((row) => table.decode(row))
    const events = this.#connection
      .query(sql`select ${EVENT.columns} from event where id > ${afterEvent} order by id`)
      .map((row): BoardEvent => EVENT.decode(row))
    return { boards: all(BOARD), tasks: all(TASK), runs: all(RUN), links: all(LINK), events, now: this.#clock() }
  }
}

export class MemoryStore {
  /** The file that currently has the name of the store. */
  current: Database
  readonly #clock: () => number

  constructor(clock: () => number) {
    this.#clock = clock
    this.current = new Database(clock)
  }

  get store(): Store {
    return this.current.store
  }

  empty(): void {
    this.current.empty()
  }

  epoch(): string {
    return this.current.epoch()
  }

  state(afterEvent: number): BoardState {
    return this.current.state(afterEvent)
  }

  /** With `into`, the copy replaces the content of the file. With `instead`, a new file replaces the file. */
  async restore(copy: Copy, how: 'into' | 'instead'): Promise<void> {
    if (how === 'instead') {
      this.current.loseName()
      this.current = new Database(this.#clock)
    }
    await this.current.fill(copy)
  }
}
