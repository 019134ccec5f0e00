/**
 * Backup: a consistent copy by `vacuum into`, synced, checked, then named. Restore: the backup is prepared beside the
 * store (runs closed, new feed epoch) and copied *into* the live file in one transaction, so that processes which
 * have it open see the old content or the new, and their fences no longer hold.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { BoardError } from '../../core/errors.ts'
import { unwrap } from '../../core/command.ts'
import { checkSchema, schemaState, setMeta } from '../migrate.ts'
import { sql } from '../sql.ts'
import { SqlStore } from '../sql-store.ts'
import type { Store } from '../store.ts'
import { bellOf, hangBell, ringBell } from './bell.ts'
import { connect, drive, holdsStore } from './connection.ts'
import type { Connection } from './connection.ts'
import { SqliteDialect } from './dialect.ts'
import { explain, isCorrupt } from './errors.ts'
import { fullCheck, markerOf, quarantine } from './quarantine.ts'

const SIDECARS = ['-wal', '-shm'] as const

export async function backUp(path: string, target: string): Promise<void> {
  if (!existsSync(path))
    throw new BoardError('store_missing', `There is no store at ${path} to back up.`, { details: { path } })
  if (existsSync(target))
    throw new BoardError('invalid_input', `${target} exists already: choose another name for the backup.`, {
      details: { target },
    })
  if (!existsSync(dirname(target)))
    throw new BoardError('invalid_input', `There is no folder ${dirname(target)}: make it first.`, {
      details: { target },
    })
  const temporary = temporaryName(target)
  try {
    await using(path, 'ro', (connection) => void connection.query(sql`vacuum into ${temporary}`))
    syncFile(temporary)
    await verify(temporary)
    linkSync(temporary, target)
    syncFile(dirname(target))
  } catch (error) {
    throw explain(error, path)
  } finally {
    removeFile(temporary)
  }
}

export async function restore(path: string, source: string): Promise<void> {
  if (!existsSync(source))
    throw new BoardError('store_missing', `There is no backup at ${source}.`, { details: { source } })
  const prepared = temporaryName(path)
  try {
    await using(source, 'ro', (connection) => {
      assertSound(connection)
      connection.query(sql`vacuum into ${prepared}`)
    })
    await closeRuns(prepared)
    await putInto(prepared, path)
    rmSync(markerOf(path), { force: true })
    syncFile(dirname(path))
    hangBell(bellOf(path))
    ringBell(bellOf(path))
  } catch (error) {
    throw explain(error, path)
  } finally {
    removeFile(prepared)
  }
}

const temporaryName = (path: string): string => `${path}.part.${process.pid}.${randomBytes(4).toString('hex')}`

function removeFile(path: string): void {
  for (const tail of ['', ...SIDECARS]) rmSync(`${path}${tail}`, { force: true })
}

/** Never the store itself: only files of ours that no connection has open. */
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

/** A backup that cannot be restored is worse than none. */
function assertSound(connection: Connection): void {
  const { path } = connection
  const faults = fullCheck(connection)
  if (faults.length > 0)
    throw new BoardError('store_corrupt', `The backup ${path} is damaged (${faults[0]}): choose another one.`, {
      details: { path },
    })
  if (!holdsStore(connection))
    throw new BoardError('store_not_ours', `${path} is not a backup of a Muster store.`, { details: { path } })
  checkSchema(drive(connection, schemaState()), path, 'write')
}

const verify = (path: string): Promise<void> => using(path, 'ro', assertSound)

/** Nothing that ran when the backup was made runs any more, and every cursor into the old feed is void. */
async function closeRuns(path: string): Promise<void> {
  const connection = connect(path, 'rw')
  const dialect = new SqliteDialect(connection, { clock: Date.now, writable: false })
  const store = new SqlStore(dialect)
  try {
    await dialect.transact(() => setMeta('epoch', randomBytes(6).toString('hex')))
    connection.exec('delete from dispatcher')
    await interruptRuns(store)
    connection.exec('delete from dispatcher; pragma wal_checkpoint(truncate)')
  } finally {
    await store.close()
  }
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

async function putInto(prepared: string, path: string): Promise<void> {
  if (!existsSync(path)) {
    linkSync(prepared, path)
    return
  }
  try {
    await using(prepared, 'ro', (connection) => connection.copyInto(path))
    // The copy was committed with the driver's own settings; this connection's checkpoint makes it durable.
    await using(path, 'rw', (connection) => connection.exec('pragma wal_checkpoint(full)'))
  } catch (error) {
    if (!isCorrupt(error)) throw error
    // Nothing can be written into what is no database any more; its bytes are kept, then the whole file replaced.
    quarantine(path, error)
    for (const tail of SIDECARS) rmSync(`${path}${tail}`, { force: true })
    renameSync(prepared, path)
  }
}
