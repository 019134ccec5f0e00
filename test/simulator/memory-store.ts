/** The store of all simulations: SQLite in memory, emptied before each. */
import type { BoardEvent } from '../../src/core/event.ts'
import { SqlStore } from '../../src/storage/sql-store.ts'
import type { Store } from '../../src/storage/store.ts'
import { setMeta } from '../../src/storage/migrate.ts'
import { BOARD, EVENT, LINK, RUN, TASK } from '../../src/storage/rows.ts'
import type { Table } from '../../src/storage/rows.ts'
import { raw, sql } from '../../src/storage/sql.ts'
import { connect, drive } from '../../src/storage/sqlite/connection.ts'
import type { Connection } from '../../src/storage/sqlite/connection.ts'
import { SqliteDialect } from '../../src/storage/sqlite/dialect.ts'
import init from '../../src/storage/sqlite/migrations/0001_init.sql'
import bursts from '../../src/storage/sqlite/migrations/0002_bursts.sql'
import growth from '../../src/storage/sqlite/migrations/0007_growth.sql'
import landing from '../../src/storage/sqlite/migrations/0008_landing.sql'
import success from '../../src/storage/sqlite/migrations/0010_success.sql'
import worktrees from '../../src/storage/sqlite/migrations/0003_worktrees.sql'
import reviews from '../../src/storage/sqlite/migrations/0004_reviews.sql'
import bodies from '../../src/storage/sqlite/migrations/0005_bodies.sql'
import answers from '../../src/storage/sqlite/migrations/0006_answers.sql'
import folders from '../../src/storage/sqlite/migrations/0009_folders.sql'
import type { BoardState } from '../helpers/invariants.ts'

const TABLES = ['event', 'attachment', 'comment', 'link', 'run', 'task', 'board', 'slot', 'account', 'dispatcher']

export class MemoryStore {
  readonly store: Store
  readonly #connection: Connection
  readonly #clock: () => number

  constructor(clock: () => number) {
    this.#clock = clock
    this.#connection = connect(':memory:', 'rwc')
    for (const text of [init, bursts, worktrees, reviews, bodies, answers, growth, landing, folders, success])
      this.#connection.exec(text)
    for (const [key, value] of [
      ['epoch', 'simulated'],
      ['floor', '0'],
    ] as const)
      drive(this.#connection, setMeta(key, value))
    this.store = new SqlStore(new SqliteDialect(this.#connection, { clock, writable: true }))
  }

  empty(): void {
    for (const table of TABLES) this.#connection.exec(`delete from ${table}`)
    this.#connection.exec("delete from sqlite_sequence; delete from meta where key like 'boot%' or key like 'told%'")
  }

  lastEvent(): number {
    return Number(this.#connection.query(sql`select seq from sqlite_sequence where name = 'event'`)[0]?.seq ?? 0)
  }

  /** Every row, with the events after one that was seen. */
  state(afterEvent: number): BoardState {
    const all = <T>(table: Table<T>): T[] =>
      this.#connection.query(sql`select ${table.columns} from ${raw(table.name)}`).map((row) => table.decode(row))
    const events = this.#connection
      .query(sql`select ${EVENT.columns} from event where id > ${afterEvent} order by id`)
      .map((row): BoardEvent => EVENT.decode(row))
    return { boards: all(BOARD), tasks: all(TASK), runs: all(RUN), links: all(LINK), events, now: this.#clock() }
  }
}
