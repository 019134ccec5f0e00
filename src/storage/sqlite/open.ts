/**
 * Opens a store in a file. The mode `create` builds a new store under a temporary name and then links the file into
 * place. So an empty file at the path is never an unfinished store, and Muster never replaces such a file.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, realpathSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { openSync } from '../../util/guarded-files.ts'
import { BoardError } from '../../core/errors.ts'
import { makeFolders } from '../../util/make-folders.ts'
import { CODE_VERSION, checkSchema, schemaState, setMeta } from '../migrate.ts'
import type { OpenOptions } from '../open.ts'
import { SqlStore } from '../sql-store.ts'
import type { Store } from '../store.ts'
import { bellOf, createBell } from './bell.ts'
import { connect, drive, isStoreDatabase } from './connection.ts'
import type { Connection } from './connection.ts'
import { SqliteDialect } from './dialect.ts'
import { explain, explainFolder, explainReading, isCorrupt } from './errors.ts'
import { refuseUnsuitableFilesystem } from './filesystem.ts'
import type { FilesystemType } from './filesystem.ts'
import { migrate } from './migrations.ts'
import { putInPlace } from './put-in-place.ts'
import { quarantine, quickCheck, refuseMarked } from './quarantine.ts'

export interface SqliteOptions extends OpenOptions {
  readonly filesystemType?: FilesystemType
}

export async function openSqlite(given: string, options: SqliteOptions): Promise<Store> {
  const { mode, clock: baseClock = Date.now, shift } = options
  const clock = shift === undefined ? baseClock : () => baseClock() + shift()
  const isNew = !storeExists(given)
  if (isNew) {
    if (mode !== 'create') throw missing(given)
    await createStore(given, options)
  }
  // The WAL, the bell and the damage marker are beside the real file, even if the path is a symbolic link.
  const path = realpathSync(given)
  refuseUnsuitableFilesystem(path, options.filesystemType)
  const connection = openConnection(path, mode)
  try {
    makeReady(connection, mode)
    if (isNew) refuseFaults(path, quickCheck(connection))
  } catch (error) {
    const fault = faultOf(error, path, mode)
    await connection.close({ asFound: fault instanceof BoardError && fault.code === 'store_corrupt' })
    throw fault
  }
  return new SqlStore(new SqliteDialect(connection, { clock, writable: mode !== 'read' }))
}

/** Throws an error if the check of the new store found damage. */
function refuseFaults(path: string, [fault]: readonly string[]): void {
  if (fault !== undefined)
    throw new BoardError('store_corrupt', `The new store ${path} is damaged (${fault}): check the disk.`, {
      details: { path },
    })
}

/** Returns false only if the file does not exist. Throws an error if the folder cannot be accessed. */
function storeExists(path: string): boolean {
  try {
    statSync(path)
    return true
  } catch (cause) {
    // The error is caught here. With `throwIfNoEntry: false`, Node 22 would report a path below a file as missing.
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false
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
    throw faultOf(error, path, mode)
  }
}

function faultOf(error: unknown, path: string, mode: OpenOptions['mode']): unknown {
  if (mode === 'read') return explainReading(explain(error, path), path)
  return isCorrupt(error) ? quarantine(path, error) : explain(error, path)
}

function makeReady(connection: Connection, mode: OpenOptions['mode']): void {
  const { path } = connection
  if (!isStoreDatabase(connection))
    throw new BoardError(
      'store_not_ours',
      `The file ${path} is not a Muster store: it is empty or belongs to another program. Restore a backup, or move the file to another folder and run muster init.`,
      { details: { path } },
    )
  if (mode !== 'read') refuseMarked(connection)
  const state = drive(connection, schemaState())
  checkSchema(state, path, mode)
  if (mode !== 'read' && state.version < CODE_VERSION) migrate(connection)
}

async function createStore(path: string, options: SqliteOptions): Promise<void> {
  const folder = dirname(path)
  try {
    makeFolders(folder)
    refuseUnsuitableFilesystem(path, options.filesystemType)
    await buildBeside(path)
    createBell(bellOf(path))
    syncFolder(folder)
  } catch (error) {
    throw explainFolder(explain(error, path), folder)
  }
}

/** Builds the store in a temporary file, so that no process opens an incomplete store. */
async function buildBeside(path: string): Promise<void> {
  const temporary = `${path}.new.${process.pid}.${randomBytes(4).toString('hex')}`
  closeSync(openSync(temporary, 'wx', 0o600))
  try {
    await buildStore(temporary)
    await putInPlace(temporary, path)
  } finally {
    for (const tail of ['', '-wal', '-shm']) rmSync(`${temporary}${tail}`, { force: true })
  }
}

async function buildStore(path: string): Promise<void> {
  const connection = connect(path, 'rwc')
  try {
    migrate(connection)
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
