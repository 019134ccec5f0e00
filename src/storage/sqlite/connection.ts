/**
 * One SQLite connection: the pragmas every connection must have, cached prepared statements behind one checked
 * wrapper, and a close that really closes.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { DatabaseSync, backup } from '@photostructure/sqlite'
import { BoardError } from '../../core/errors.ts'
import { render } from '../sql.ts'
import type { Sql } from '../sql.ts'
import type { Row, Tx } from '../tx.ts'

type Database = InstanceType<typeof DatabaseSync>
type Statement = ReturnType<Database['prepare']>

/** Older ones can lose committed data: their WAL reset races with a checkpoint of another process. */
const OLDEST_SOUND = [3, 51, 3] as const

/** Opening may meet another process that recovers or closes; after that, waiting is the writer's own business. */
const OPEN_PATIENCE_MS = 5_000

/** `rwc` creates; `rw` never does; `ro` never writes. */
export type Access = 'rwc' | 'rw' | 'ro'

export interface Connection {
  readonly path: string
  readonly sqliteVersion: string
  readonly inTransaction: boolean
  exec(text: string): void
  query(statement: Sql): readonly Row[]
  /** Writes this database over the one at `path`, in one transaction there, beside whoever has it open. */
  copyInto(path: string): Promise<void>
  close(): Promise<void>
}

const uriOf = (path: string, access: Access): string =>
  `file:${path.split('/').map(encodeURIComponent).join('/')}?mode=${access}`

export function connect(path: string, access: Access): Connection {
  const database = new DatabaseSync(uriOf(path, access), { readOnly: access === 'ro', timeout: OPEN_PATIENCE_MS })
  try {
    return new SqliteConnection(database, path, access)
  } catch (error) {
    database.close()
    throw error
  }
}

class SqliteConnection implements Connection {
  readonly path: string
  readonly sqliteVersion: string
  #database: Database | null
  /** By the statement's `strings`, which are one object per text (sql.ts): the look-up never reads the text. */
  #statements = new Map<readonly string[], Statement>()

  constructor(database: Database, path: string, access: Access) {
    this.#database = database
    this.path = path
    // Re-setting WAL on a WAL database can unlink sidecars that others hold open: ask first.
    if (access !== 'ro' && this.#pragma('journal_mode') !== 'wal') database.exec('pragma journal_mode = wal')
    database.exec(`
      pragma synchronous = full;
      pragma fullfsync = on;
      pragma secure_delete = on;
      pragma cell_size_check = on;
      pragma foreign_keys = on;
      pragma journal_size_limit = 67108864;
      pragma temp_store = memory;
      pragma busy_timeout = 0;`)
    this.sqliteVersion = String(this.query({ strings: ['select sqlite_version() as version'], values: [] })[0]?.version)
    assertSound(this.sqliteVersion)
  }

  get #open(): Database {
    if (this.#database === null)
      throw new BoardError('internal', `The store ${this.path} was used after it was closed.`)
    return this.#database
  }

  get inTransaction(): boolean {
    return this.#open.isTransaction
  }

  #pragma(name: string): unknown {
    return this.query({ strings: [`pragma ${name}`], values: [] })[0]?.[name]
  }

  exec(text: string): void {
    this.#open.exec(text)
  }

  /** The driver binds missing parameters as NULL without a word; here the count must match. */
  query(statement: Sql): readonly Row[] {
    const { strings, values } = statement
    if (values.length !== strings.length - 1)
      throw new TypeError(`${values.length} values for ${strings.length - 1} places: ${render(statement, '?')}`)
    return this.#prepared(statement).all(...values) as Row[]
  }

  #prepared(statement: Sql): Statement {
    const known = this.#statements.get(statement.strings)
    if (known) return known
    const made = this.#open.prepare(render(statement, '?'))
    if (this.#statements.size >= 500) this.#statements.clear()
    this.#statements.set(statement.strings, made)
    return made
  }

  async copyInto(path: string): Promise<void> {
    await backup(this.#open, uriOf(path, 'rw'), { rate: -1 })
  }

  /**
   * The driver finalises a statement only when its wrapper is collected, and until then the file and its locks stay
   * open (measured: 63 descriptors after 30 rounds). So closing asks for a collection: 2 ms on a small heap.
   */
  async close(): Promise<void> {
    const database = this.#database
    if (database === null) return
    this.#statements = new Map()
    this.#database = null
    database.close()
    collectGarbage()
    await nextTurn()
  }
}

let collector: (() => void) | null = null

function collectGarbage(): void {
  if (collector === null) {
    setFlagsFromString('--expose-gc')
    collector = runInNewContext('gc') as () => void
  }
  collector()
}

function assertSound(version: string): void {
  const parts = version.split('.').map(Number)
  const older = OLDEST_SOUND.findIndex((part, at) => (parts[at] ?? 0) !== part)
  if (older >= 0 && (parts[older] ?? 0) < (OLDEST_SOUND[older] ?? 0))
    throw new BoardError(
      'sqlite_unsuitable',
      `SQLite ${version} can lose data under load: Muster needs ${OLDEST_SOUND.join('.')} or newer, so reinstall it.`,
    )
}

/** Runs a transaction body to its end without ever leaving this turn of the event loop. */
export function drive<T>(connection: Connection, body: Tx<T>): T {
  let step = body.next()
  while (!step.done) {
    let rows: readonly Row[]
    try {
      rows = connection.query(step.value)
    } catch (error) {
      step = body.throw(error)
      continue
    }
    step = body.next(rows)
  }
  return step.value
}
