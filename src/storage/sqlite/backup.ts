/**
 * Backup and restore of a store in a file. A backup is a consistent copy by `vacuum into`. The copy is synced and
 * checked before it gets its name. A restore prepares a copy of the backup beside the store, in which all runs are
 * closed and a new feed epoch begins. It then copies this file *into* the live file in one transaction. Processes that
 * have the file open see either the old content or the new content, and running agents lose their cards.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openSync } from '../../util/guarded-files.ts'
import { BoardError } from '../../core/errors.ts'
import { unwrap } from '../../core/command.ts'
import { CODE_VERSION, checkSchema, schemaState, setMeta } from '../migrate.ts'
import { memoryKey } from '../queries/facts.ts'
import { sql } from '../sql.ts'
import { SqlStore } from '../sql-store.ts'
import type { BackupContents, Store } from '../store.ts'
import { bellOf, createBell, ringBell } from './bell.ts'
import { connect, drive, isStoreDatabase, inodeOf } from './connection.ts'
import type { Connection } from './connection.ts'
import { SqliteDialect } from './dialect.ts'
import { explain, explainFolder, isCorrupt, isFull } from './errors.ts'
import { migrate } from './migrations.ts'
import { putInPlace, replaceInPlace } from './put-in-place.ts'
import { fullCheck, markerOf, quarantine, quickCheck } from './quarantine.ts'
import { deleteOtherTokens, readTokenIds } from './revoked-tokens.ts'

const SIDECARS = ['-wal', '-shm'] as const

export async function backUp(path: string, target: string): Promise<void> {
  if (!existsSync(path))
    throw new BoardError('store_missing', `There is no store at ${path} to back up.`, { details: { path } })
  if (existsSync(target)) throw alreadyExists(target)
  if (!existsSync(dirname(target)))
    throw new BoardError('invalid_input', `There is no folder ${dirname(target)}: create it first.`, {
      details: { target },
    })
  const temporary = temporaryName(target)
  try {
    makeFile(temporary)
    await using(path, 'ro', (connection) => copyTo(connection, temporary))
    syncFile(temporary)
    await using(temporary, 'ro', assertSound)
    linkSync(temporary, target)
    syncFile(dirname(target))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw alreadyExists(target)
    throw explainFolder(explain(error, path), dirname(target))
  } finally {
    removeFile(temporary)
  }
}

const alreadyExists = (target: string): BoardError =>
  new BoardError('invalid_input', `${target} already exists: choose another name for the backup.`, {
    details: { target },
  })

/** Creates an empty file in any folder, which only its owner can read. `vacuum into` writes into this file. */
const makeFile = (path: string): void => closeSync(openSync(path, 'wx', 0o600))

/** Writes the copy. If the disk is full, the error names the target, because the disk of the target is full. */
function copyTo(connection: Connection, target: string): void {
  try {
    connection.query(sql`vacuum into ${target}`)
  } catch (error) {
    throw isFull(error) ? explain(error, target) : error
  }
}

export async function restoreDatabase(path: string, source: string): Promise<void> {
  requireFile(source)
  if (inodeOf(source) === inodeOf(path))
    throw new BoardError('invalid_input', `${source} is the store itself: name a backup (muster backup list).`)
  const prepared = temporaryName(path)
  try {
    makeFile(prepared)
    await reading(source, (connection) => {
      assertSound(connection)
      copyTo(connection, prepared)
    })
    await prepareContent(prepared, await tokensOf(path))
    await putInto(prepared, path)
    await using(path, 'ro', assertSound)
    rmSync(markerOf(path), { force: true })
    syncFile(dirname(path))
    createBell(bellOf(path))
    ringBell(bellOf(path))
  } catch (error) {
    throw explainFolder(explain(error, path), dirname(path))
  } finally {
    removeFile(prepared)
  }
}

/**
 * The ids of the tokens in the store that a restore replaces. Null means that the ids cannot be read. In that case, no
 * record shows which tokens of the backup were revoked.
 */
async function tokensOf(path: string): Promise<readonly string[] | null> {
  if (!existsSync(path)) return null
  // A damaged store is not an error at this point. The restore reports the damage later and keeps a copy of the file.
  return using(path, 'ro', readTokenIds).catch(() => null)
}

const temporaryName = (path: string): string => `${path}.part.${process.pid}.${randomBytes(4).toString('hex')}`

function removeFile(path: string): void {
  for (const tail of ['', ...SIDECARS]) rmSync(`${path}${tail}`, { force: true })
}

/**
 * Syncs a file to the disk. Use this function only for files that no connection has open: closing the store's own file
 * would drop the locks of this process.
 */
function syncFile(path: string): void {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

async function using<T>(path: string, access: 'ro' | 'rw', work: (connection: Connection) => T): Promise<Awaited<T>> {
  const connection = connect(path, access)
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

/** Summarises the content of a backup and checks the content for faults. The backup is not changed. */
export async function inspect(source: string): Promise<BackupContents> {
  requireFile(source)
  return readingCurrent(source, async (connection) => {
    // The clock is set to the time of the last event. With the current time, runs that were open at the backup would
    // count as late.
    const [last] = connection.query(sql`select created_at from event order by id desc limit 1`)
    const madeAt = Number(last?.created_at ?? 0)
    const store = new SqlStore(new SqliteDialect(connection, { clock: () => madeAt, writable: false }))
    const [cards] = connection.query(sql`select count(*) as n from task where deleted_at is null`)
    return {
      boards: (await store.boards()).length,
      cards: Number(cards?.n),
      openRuns: (await store.openRuns(null)).filter(({ kind }) => kind === 'agent').length,
      findings: await store.doctor(),
    }
  })
}

function requireFile(source: string): void {
  const found = statSync(source, { throwIfNoEntry: false })
  if (found?.isFile()) return
  const message = found === undefined ? `There is no backup at ${source}` : `${source} is not a file`
  throw new BoardError('store_missing', `${message}: run muster backup list to see the backups.`, {
    details: { source },
  })
}

/** Runs `work` on a backup. If this fails, the error names the backup and not the store. */
async function reading<T>(source: string, work: (connection: Connection) => T): Promise<Awaited<T>> {
  try {
    return await using(source, 'ro', work)
  } catch (error) {
    if (error instanceof BoardError || !isCorrupt(error)) throw explain(error, source)
    throw damaged(source, error instanceof Error ? error.message : String(error))
  }
}

/** Runs `work` on a backup with the current schema. An older backup is copied, and the copy is migrated. */
async function readingCurrent<T>(source: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-backup-'))
  const copy = join(folder, 'muster.db')
  try {
    const isOlder = await reading(source, (connection) => {
      assertSound(connection)
      if (drive(connection, schemaState()).version >= CODE_VERSION) return false
      makeFile(copy)
      copyTo(connection, copy)
      return true
    })
    if (!isOlder) return await reading(source, work)
    await using(copy, 'rw', (connection) => migrate(connection))
    return await using(copy, 'ro', work)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const damaged = (path: string, fault: string): BoardError =>
  new BoardError('store_corrupt', `The backup ${path} is damaged (${fault}): choose another one.`, {
    details: { path },
  })

/** Throws an error unless the file is an undamaged store that this code can restore. */
function assertSound(connection: Connection): void {
  const { path } = connection
  const [fault] = fullCheck(connection)
  if (fault !== undefined) throw damaged(path, fault)
  if (!isStoreDatabase(connection))
    throw new BoardError('store_not_ours', `${path} is not a backup of a Muster store.`, { details: { path } })
  checkSchema(drive(connection, schemaState()), path, 'write')
}

async function prepareContent(path: string, validTokens: readonly string[] | null): Promise<void> {
  const connection = connect(path, 'rw')
  const store = new SqlStore(new SqliteDialect(connection, { clock: Date.now, writable: false }))
  try {
    migrate(connection)
    await beginEpoch(connection, store)
    if (validTokens !== null) deleteOtherTokens(connection, validTokens)
    connection.exec('pragma wal_checkpoint(truncate)')
  } finally {
    await store.close()
  }
}

/**
 * Starts a new epoch: closes the runs that were open when the backup was made, and makes cursors into the old feed
 * invalid. It also deletes the memory of dispatchers, so that the next dispatcher searches for processes that the
 * restored store does not know.
 */
export async function beginEpoch(connection: Connection, store: Store): Promise<void> {
  drive(connection, setMeta('epoch', randomBytes(6).toString('hex')))
  connection.exec('delete from dispatcher')
  await interruptRuns(store)
  connection.exec(`delete from dispatcher; delete from meta where key like '${memoryKey('%')}'`)
}

async function interruptRuns(store: Store): Promise<void> {
  const runs = (await store.openRuns(null)).filter((run) => run.kind === 'agent')
  const tokenHash = randomBytes(16).toString('hex')
  const actor = { kind: 'board', name: 'restore' } as const
  const identity = { machine: 'restore', bootId: 'restore', pidNamespace: null, pid: process.pid, startTime: '0' }
  for (const run of runs) {
    const lease = { machine: run.machine ?? 'restore', tokenHash }
    const at = { board: run.board, actor }
    unwrap(await store.decide({ ...at, verb: 'lead_dispatch', input: { ...lease, identity, leaseMs: 60_000 } }))
    unwrap(
      await store.decide({
        ...at,
        verb: 'settle',
        input: {
          task: run.taskId,
          runId: run.id,
          by: { machine: lease.machine, dispatcherTokenHash: lease.tokenHash },
          ending: { how: 'interrupted', error: 'the store was restored from a backup' },
        },
      }),
    )
  }
}

/** Keeps a copy of a damaged store before the restore overwrites it. */
function keepIfDamaged(path: string, [fault]: readonly string[]): void {
  if (fault !== undefined) quarantine(path, new Error(fault))
}

async function putInto(prepared: string, path: string): Promise<void> {
  if (!existsSync(path) && (await putInPlace(prepared, path))) return
  try {
    keepIfDamaged(path, await using(path, 'ro', quickCheck))
    await using(prepared, 'ro', (connection) => connection.copyInto(path))
    // The driver writes the copy through its own connection, without Muster's settings. This checkpoint makes the copy
    // durable.
    await using(path, 'rw', (connection) => connection.exec('pragma wal_checkpoint(full)'))
  } catch (error) {
    if (!isCorrupt(error)) throw error
    // A file that is no longer a database cannot be the target of a copy. So its bytes are saved to another file, and
    // the whole file is replaced.
    const { details } = quarantine(path, error)
    await replaceInPlace(prepared, path, details['backup'] !== null)
  }
}
