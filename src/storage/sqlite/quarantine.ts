/**
 * Quarantine handles a damaged store, which is neither repaired in place nor replaced. Each different content of the
 * file is copied once, and a marker is written. While the marker exists and the file is damaged, every process refuses
 * to write.
 */
import { existsSync, rmSync } from 'node:fs'
import { readFileSync } from '../../util/guarded-files.ts'
import { BoardError } from '../../core/errors.ts'
import { raw, sql } from '../sql.ts'
import { inodeOf } from './connection.ts'
import type { Connection } from './connection.ts'
import { RECOVERY_ADVICE, isCorrupt } from './errors.ts'
import { checkDatabaseFile } from './check-database-file.ts'
import { copyAside, hashFile } from './raw-file.ts'

export const markerOf = (path: string): string => `${path}.corrupt.json`

const damaged = (
  path: string,
  { backup, reason, cause }: { backup: string | null; reason: string; cause?: unknown },
): BoardError =>
  new BoardError(
    'store_corrupt',
    `The store ${path} is damaged (${reason})${backup === null ? '' : `; a copy is kept as ${backup}`}. ${RECOVERY_ADVICE}`,
    { details: { path, backup, reason }, cause },
  )

/**
 * Copies and marks the file if a new check also finds damage and the path still has the same file. Call this function
 * before closing the connection, because closing could write the WAL into the file.
 */
export function quarantine(path: string, cause: unknown, file: string | null = null): BoardError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const unmarked = (message: string): BoardError =>
    new BoardError('store_io', message, { details: { path, reason }, cause })
  if (file !== null && inodeOf(path) !== file)
    return unmarked(`The store ${path} was replaced while it was open. Run the command again.`)
  const faults = checkDatabaseFile(path)
  if (faults === null) return damaged(path, { backup: null, reason, cause })
  if (faults.length === 0)
    return unmarked(
      `This process could not read the store ${path} (${reason}), but the file is sound. Run the command again.`,
    )
  try {
    return damaged(path, { backup: copyAside(path, reason).backup, reason, cause })
  } catch {
    // The copy failed, but the error for the caller must still report the damage.
    return damaged(path, { backup: null, reason, cause })
  }
}

export const isMarked = (path: string): boolean => existsSync(markerOf(path))

/** Throws an error if a process has marked the store as damaged since this process opened the store. */
export function refuseWhileMarked(path: string): void {
  if (!isMarked(path)) return
  const { backup = null, reason = 'reason unknown' } = readMarker(path) ?? {}
  throw damaged(path, { backup, reason })
}

/** Refuses to open a marked store for writing. The file is checked again each time, because the marker may be wrong. */
export function refuseMarked({ path }: Pick<Connection, 'path'>): void {
  if (!existsSync(markerOf(path))) return
  const marker = readMarker(path)
  const faults = checkDatabaseFile(path)
  if (faults?.length === 0) return rmSync(markerOf(path), { force: true })
  if (marker !== null && (faults === null || hashFile(path).sha256 === marker.sha256))
    throw damaged(path, { backup: marker.backup, reason: marker.reason })
  throw quarantine(path, new Error(faults?.[0] ?? 'it could not be checked'))
}

interface Marker {
  readonly sha256: string
  readonly backup: string
  readonly reason: string
}

/** The reason in the marker of a damaged store. Null means that the store is not marked. */
export function markedFault(path: string): string | null {
  if (!isMarked(path)) return null
  return readMarker(path)?.reason ?? 'reason unknown'
}

function readMarker(path: string): Marker | null {
  try {
    return JSON.parse(readFileSync(markerOf(path), 'utf8')) as Marker
  } catch {
    return null
  }
}

/** Checks the pages and compares every index with its table. The quick check does not find missing index entries. */
export const fullCheck = (connection: Connection): readonly string[] => checkWith(connection, 'integrity_check')

/** Checks the structure of the pages, which a crash of the machine may have damaged. */
export const quickCheck = (connection: Connection): readonly string[] => checkWith(connection, 'quick_check')

function checkWith(connection: Connection, pragma: 'integrity_check' | 'quick_check'): readonly string[] {
  try {
    const rows = connection.query(raw(`pragma ${pragma}`))
    const lines = rows.map((row) => String(row[pragma]))
    const orphans = connection.query(sql`pragma foreign_key_check`)
    return [
      ...lines.filter((line) => line !== 'ok'),
      ...orphans.map((row) => `row ${String(row.rowid)} of ${String(row.table)} points to no ${String(row.parent)}`),
    ]
  } catch (error) {
    if (!isCorrupt(error)) throw error
    return [error instanceof Error ? error.message : String(error)]
  }
}
