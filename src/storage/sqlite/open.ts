/**
 * Opening an embedded store. Only `create` makes one, whole, under another name, and then links it into place: a file
 * that is there but empty is therefore never "not made yet", and is never replaced.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, realpathSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { openSync } from '../../util/guarded-files.ts'
import { BoardError } from '../../core/errors.ts'
import { makeFolders } from '../../util/make-folders.ts'
import { CODE_VERSION, checkSchema, recordMigration, schemaState, setMeta } from '../migrate.ts'
import type { Migration } from '../migrate.ts'
import type { OpenOptions } from '../open.ts'
import { sql } from '../sql.ts'
import { SqlStore } from '../sql-store.ts'
import type { Store } from '../store.ts'
import { bellOf, hangBell } from './bell.ts'
import { connect, drive, holdsStore } from './connection.ts'
import type { Connection } from './connection.ts'
import { SqliteDialect } from './dialect.ts'
import { explain, explainFolder, isCorrupt } from './errors.ts'
import { refuseUnsuitableFilesystem } from './filesystem.ts'
import type { FilesystemType } from './filesystem.ts'
import init from './migrations/0001_init.sql'
import bursts from './migrations/0002_bursts.sql'
import worktrees from './migrations/0003_worktrees.sql'
import reviews from './migrations/0004_reviews.sql'
import bodies from './migrations/0005_bodies.sql'
import answers from './migrations/0006_answers.sql'
import growth from './migrations/0007_growth.sql'
import landing from './migrations/0008_landing.sql'
import folders from './migrations/0009_folders.sql'
import success from './migrations/0010_success.sql'
import tally from './migrations/0011_tally.sql'
import search from './migrations/0012_search.sql'
import commentNumbers from './migrations/0013_comment_numbers.sql'
import { putInPlace } from './put-in-place.ts'
import { quarantine, quickCheck, refuseMarked } from './quarantine.ts'
import { rollBack } from './writer.ts'

const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'init', text: init, minCode: 1 },
  { version: 2, name: 'bursts', text: bursts, minCode: 1 },
  { version: 3, name: 'worktrees', text: worktrees, minCode: 1 },
  { version: 4, name: 'reviews', text: reviews, minCode: 1 },
  { version: 5, name: 'bodies', text: bodies, minCode: 1 },
  { version: 6, name: 'answers', text: answers, minCode: 1 },
  { version: 7, name: 'growth', text: growth, minCode: 1 },
  { version: 8, name: 'landing', text: landing, minCode: 1 },
  { version: 9, name: 'folders', text: folders, minCode: 1 },
  { version: 10, name: 'success', text: success, minCode: 1 },
  { version: 11, name: 'tally', text: tally, minCode: 1 },
  { version: 12, name: 'search', text: search, minCode: 1 },
  { version: 13, name: 'comment_numbers', text: commentNumbers, minCode: 1 },
]

export interface SqliteOptions extends OpenOptions {
  readonly filesystemType?: FilesystemType
}

export async function openSqlite(given: string, options: SqliteOptions): Promise<Store> {
  const { mode, clock: ticking = Date.now, shift } = options
  const clock = shift === undefined ? ticking : () => ticking() + shift()
  const isNew = !isThere(given)
  if (isNew) {
    if (mode !== 'create') throw missing(given)
    await createStore(given, options)
  }
  // Sidecars, bell and marker stand beside the real file, whatever name led here.
  const path = realpathSync(given)
  refuseUnsuitableFilesystem(path, options.filesystemType)
  const connection = openConnection(path, mode)
  try {
    makeReady(connection, mode)
    if (isNew) refuseFaults(path, quickCheck(connection))
  } catch (error) {
    const fault = isCorrupt(error) && mode !== 'read' ? quarantine(path, error) : explain(error, path)
    await connection.close({ asFound: fault instanceof BoardError && fault.code === 'store_corrupt' })
    throw fault
  }
  return new SqlStore(new SqliteDialect(connection, { clock, writable: mode !== 'read' }))
}

/** A new store is opened and checked in its final place before success is reported. */
function refuseFaults(path: string, [fault]: readonly string[]): void {
  if (fault !== undefined)
    throw new BoardError('store_corrupt', `The new store ${path} is damaged (${fault}): check the disk.`, {
      details: { path },
    })
}

/** A folder that may not be entered is not the same as no store. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    throw new BoardError(
      'store_unreadable',
      `The store ${path} cannot be opened: check that the file and its folder exist and are yours.`,
      { cause, details: { path } },
    )
  }
}

const missing = (path: string): BoardError =>
  new BoardError('store_missing', `There is no store at ${path}: run muster init.`, { details: { path } })

function openConnection(path: string, mode: OpenOptions['mode']): Connection {
  try {
    return connect(path, mode === 'read' ? 'ro' : 'rw')
  } catch (error) {
    throw isCorrupt(error) && mode !== 'read' ? quarantine(path, error) : explain(error, path)
  }
}

function makeReady(connection: Connection, mode: OpenOptions['mode']): void {
  const { path } = connection
  if (!holdsStore(connection))
    throw new BoardError(
      'store_not_ours',
      `The file ${path} is not a Muster store: it is empty or belongs to another program. Restore a backup, or move the file to another folder and run muster init.`,
      { details: { path } },
    )
  if (mode !== 'read') refuseMarked(connection)
  const state = drive(connection, schemaState())
  checkSchema(state, path, mode)
  if (mode !== 'read' && state.version < CODE_VERSION) migrate(connection, state.version)
}

/** All missing steps in one transaction; a second process that waited finds nothing left to do. */
function migrate(connection: Connection, from: number): void {
  connection.exec('pragma busy_timeout = 30000')
  connection.exec('begin immediate')
  try {
    const steps = MIGRATIONS.filter(({ version }) => version > from && version > currentVersion(connection))
    for (const step of steps) {
      connection.exec(step.text)
      drive(connection, recordMigration(step, Date.now()))
    }
    connection.exec('commit')
  } catch (error) {
    rollBack(connection)
    throw error
  } finally {
    connection.exec('pragma busy_timeout = 0')
  }
}

function currentVersion(connection: Connection): number {
  const exists = connection.query(sql`select 1 from sqlite_schema where type = 'table' and name = 'migration'`)
  return exists.length === 0 ? 0 : drive(connection, schemaState()).version
}

async function createStore(path: string, options: SqliteOptions): Promise<void> {
  const folder = dirname(path)
  const temporary = `${path}.new.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    makeFolders(folder)
    refuseUnsuitableFilesystem(path, options.filesystemType)
    closeSync(openSync(temporary, 'wx', 0o600))
    await buildStore(temporary)
    await putInPlace(temporary, path)
    hangBell(bellOf(path))
    syncFolder(folder)
  } catch (error) {
    throw explainFolder(explain(error, path), folder)
  } finally {
    for (const tail of ['', '-wal', '-shm']) rmSync(`${temporary}${tail}`, { force: true })
  }
}

async function buildStore(path: string): Promise<void> {
  const connection = connect(path, 'rwc')
  try {
    migrate(connection, 0)
    connection.exec('begin immediate')
    drive(connection, setMeta('epoch', randomBytes(6).toString('hex')))
    drive(connection, setMeta('floor', '0'))
    connection.exec('commit')
    connection.exec('pragma wal_checkpoint(truncate)')
  } finally {
    await connection.close()
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
