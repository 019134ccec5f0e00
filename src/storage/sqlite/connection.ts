/**
 * One SQLite connection. It sets the pragmas that every connection needs, caches prepared statements, checks the number
 * of values, and closes the file completely.
 */
import { statSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { DatabaseSync, backup } from '@photostructure/sqlite'
import { BoardError } from '../../core/errors.ts'
import { holdStoreFiles } from '../../util/store-files.ts'
import { compileLiteral } from '../literal.ts'
import { render, sql } from '../sql.ts'
import type { Sql, SqlValue } from '../sql.ts'
import { Conflict, isWrite } from '../tx.ts'
import type { Row, Rows, Step, Tx } from '../tx.ts'

type Database = InstanceType<typeof DatabaseSync>
type Statement = ReturnType<Database['prepare']>

/**
 * A prepared statement. No other object may refer to it, because the file can be closed only after the statement is
 * garbage-collected.
 */
interface Prepared {
  readonly statement: Statement
  readonly names: readonly string[]
  /** The number of rows returned so far. After enough rows, the function that builds a row is compiled. */
  given: number
  rowOf: ((array: unknown) => Row) | null
}

/**
 * The number of rows after which compiling saves time. For the few rows of a short command, compiling would take longer
 * than it saves.
 */
const WORTH_COMPILING = 20

/**
 * The oldest version of SQLite that does not lose committed data. In older versions, a WAL reset can race with a
 * checkpoint of another process.
 */
const OLDEST_SOUND = [3, 51, 3] as const

/** The timeout for opening the file while another process recovers or closes it. Later waits are in writer.ts. */
const OPEN_TIMEOUT_MS = 5_000

/** `rwc` creates a missing file, `rw` opens only an existing file, and `ro` never writes. */
export type Access = 'rwc' | 'rw' | 'ro'

export interface Connection {
  readonly path: string
  /** The device and the inode of the open file. Null means that another file got the path while the file was opened. */
  readonly file: string | null
  readonly sqliteVersion: string
  readonly inTransaction: boolean
  exec(text: string): void
  query(statement: Sql): readonly Row[]
  /**
   * Replaces the content of the database at `path` with the content of this database, in one transaction. Other
   * processes may have that file open.
   */
  copyInto(path: string): Promise<void>
  /**
   * Closes the connection. With `asFound`, the WAL is not written into the file, so that a damaged file stays as it was
   * found.
   */
  close(options?: { asFound?: boolean; exiting?: boolean }): Promise<void>
}

const uriOf = (path: string, access: Access): string =>
  `file:${path.split('/').map(encodeURIComponent).join('/')}?mode=${access}`

export function connect(path: string, access: Access): Connection {
  const before = inodeOf(path)
  const database = new DatabaseSync(uriOf(path, access), { readOnly: access === 'ro', timeout: OPEN_TIMEOUT_MS })
  try {
    return new SqliteConnection(database, path, { access, file: before === inodeOf(path) ? before : null })
  } catch (error) {
    const secondReader = openSecondReader(path)
    database.close()
    secondReader?.close()
    throw error
  }
}

/**
 * The device and the inode of a file. They come from `stat`, because opening and closing the file would drop the locks
 * of this process.
 */
export function inodeOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev}:${found.ino}`
}

/**
 * Opens a second connection to a file that may be damaged. While the second connection is open, closing the first
 * connection does not write the WAL into the file.
 */
function openSecondReader(path: string): Database | null {
  try {
    const secondReader = new DatabaseSync(uriOf(path, 'ro'), { readOnly: true })
    try {
      secondReader.exec('select 1 from sqlite_schema')
    } catch {
      // Reading damaged pages fails, but the second connection still gets its lock.
    }
    return secondReader
  } catch {
    return null
  }
}

/** Whether the file is a store. An empty file and the database of another program are not stores. */
export const isStoreDatabase = (connection: Pick<Connection, 'query'>): boolean =>
  connection.query(sql`select name from sqlite_schema where type = 'table' and name in ('meta', 'migration')`)
    .length === 2

/**
 * Releases the files of a connection that was garbage-collected without being closed. The operating system may then use
 * the inode for another file.
 */
const abandoned = new FinalizationRegistry<() => void>((release) => release())

class SqliteConnection implements Connection {
  readonly path: string
  readonly file: string | null
  readonly sqliteVersion: string
  readonly #writes: boolean
  readonly #release: () => void
  #database: Database | null
  /**
   * The prepared statements by their `strings` object. Each text has only one such object (sql.ts), so a look-up is
   * fast.
   */
  #statements = new Map<readonly string[], Prepared>()

  constructor(database: Database, path: string, { access, file }: { access: Access; file: string | null }) {
    this.#database = database
    this.#writes = access !== 'ro'
    this.path = path
    this.file = file
    // Setting WAL mode again can unlink sidecar files that other processes have open. Without `rwc`, the file must also
    // be a store, because setting the mode would change an empty file or the database of another program.
    const setsWal =
      access !== 'ro' && this.#pragma('journal_mode') !== 'wal' && (access === 'rwc' || isStoreDatabase(this))
    if (setsWal) database.exec('pragma journal_mode = wal')
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
    this.#release = holdStoreFiles(path)
    abandoned.register(this, this.#release)
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

  /**
   * Runs a statement. The number of values is checked, because the driver binds missing parameters as NULL without an
   * error.
   */
  query(statement: Sql): readonly Row[] {
    const { strings, values } = statement
    if (values.length !== strings.length - 1)
      throw new TypeError(`${values.length} values for ${strings.length - 1} places: ${render(statement, '?')}`)
    const prepared = this.#prepared(statement)
    const arrays = prepared.statement.all(...values)
    return arrays.length === 0 ? [] : arrays.map(rowMaker(prepared, arrays.length))
  }

  #prepared(statement: Sql): Prepared {
    const known = this.#statements.get(statement.strings)
    if (known) return known
    const made = prepare(this.#open, render(statement, '?'))
    if (this.#statements.size >= 500) this.#statements.clear()
    this.#statements.set(statement.strings, made)
    return made
  }

  async copyInto(path: string): Promise<void> {
    await backup(this.#open, uriOf(path, 'rw'), { rate: -1 })
  }

  /**
   * Closes the file. The driver releases a statement only when its wrapper is garbage-collected, and until then the
   * file and its locks stay open. So closing runs the garbage collector, which takes 2 ms on a small heap and 6 ms in a
   * command. A process that is about to end skips the garbage collection. It only checkpoints the WAL, so that a copy
   * of the file alone is complete.
   */
  async close({ asFound = false, exiting = false } = {}): Promise<void> {
    const database = this.#database
    if (database === null) return
    if (exiting) return this.#closeOnExit(database, asFound)
    const secondReader = asFound ? openSecondReader(this.path) : null
    this.#statements = new Map()
    this.#database = null
    // The files are released before `database.close()`, which may throw an error for a damaged file. Closing also frees
    // the inode for another file.
    this.#release()
    database.close()
    runGarbageCollector()
    await nextTurn()
    secondReader?.close()
  }

  #closeOnExit(database: Database, asFound: boolean): void {
    this.#database = null
    this.#release()
    if (this.#writes && !asFound) database.exec('pragma wal_checkpoint(passive)')
  }
}

/**
 * Prepares a statement whose rows are arrays. The driver builds arrays in half the time of objects, and its objects are
 * slow to read.
 */
function prepare(database: Database, text: string): Prepared {
  const statement = database.prepare(text)
  statement.setReturnArrays(true)
  return { statement, names: statement.columns().map(({ name }) => name), given: 0, rowOf: null }
}

function rowMaker(prepared: Prepared, rows: number): (array: unknown) => Row {
  if (prepared.rowOf !== null) return prepared.rowOf
  prepared.given += rows
  const { names } = prepared
  if (prepared.given >= WORTH_COMPILING)
    return (prepared.rowOf = compileLiteral<unknown, Row>(names.map((name, at) => [name, `from[${at}]`])))
  return (array) => Object.fromEntries((array as SqlValue[]).map((value, at) => [names[at] ?? '', value]))
}

let collector: (() => void) | null = null

function runGarbageCollector(): void {
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

/** Runs a transaction body synchronously, in one turn of the event loop. */
export function drive<T>(connection: Connection, body: Tx<T>): T {
  let step = body.next()
  while (step.done !== true) {
    let answers: readonly Rows[]
    try {
      answers = performStep(connection, step.value)
    } catch (error) {
      step = body.throw(error)
      continue
    }
    step = body.next(answers)
  }
  return step.value
}

const NO_ANSWERS: readonly Rows[] = []

function performStep(connection: Connection, step: Step): readonly Rows[] {
  if (!isWrite(step)) return step.ask.map((statement) => connection.query(statement))
  const rows = connection.query(step.write)
  if (step.orConflict !== null && rows.length === 0) throw new Conflict(step.orConflict)
  return NO_ANSWERS
}
