/**
 * A damaged store is kept, never mended in place and never replaced: one copy per content beside the file, and a
 * marker that makes every process refuse to write until the file has changed for the better.
 */
import { existsSync, rmSync } from 'node:fs'
import { readFileSync } from '../../util/guarded-files.ts'
import { BoardError } from '../../core/errors.ts'
import { raw, sql } from '../sql.ts'
import { inodeOf } from './connection.ts'
import type { Connection } from './connection.ts'
import { WAY_OUT, isCorrupt } from './errors.ts'
import { judgeFile } from './judge-file.ts'
import { copyAside, hashFile } from './raw-file.ts'

export const markerOf = (path: string): string => `${path}.corrupt.json`

const damaged = (
  path: string,
  { backup, reason, cause }: { backup: string | null; reason: string; cause?: unknown },
): BoardError =>
  new BoardError(
    'store_corrupt',
    `The store ${path} is damaged (${reason})${backup === null ? '' : `; a copy is kept as ${backup}`}. ${WAY_OUT}`,
    { details: { path, backup, reason }, cause },
  )

/**
 * Copies the file aside and marks it, if it is the file that was open and a fresh check finds it damaged too. Runs while the
 * connection is open: closing it could fold the WAL into the file.
 */
export function quarantine(path: string, cause: unknown, file: string | null = null): BoardError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const unmarked = (message: string): BoardError =>
    new BoardError('store_io', message, { details: { path, reason }, cause })
  if (file !== null && inodeOf(path) !== file)
    return unmarked(`The store ${path} was replaced while it was open. Run the command again.`)
  const faults = judgeFile(path)
  if (faults === null) return damaged(path, { backup: null, reason, cause })
  if (faults.length === 0)
    return unmarked(
      `This process could not read the store ${path} (${reason}), but the file is sound. Run the command again.`,
    )
  try {
    return damaged(path, { backup: copyAside(path, reason).backup, reason, cause })
  } catch {
    // A copy that could not be made must not hide what was found.
    return damaged(path, { backup: null, reason, cause })
  }
}

export const isMarked = (path: string): boolean => existsSync(markerOf(path))

/** Refuses to write to a store that any process has found damaged since it was opened. */
export function refuseWhileMarked(path: string): void {
  if (!isMarked(path)) return
  const { backup = null, reason = 'reason unknown' } = readMarker(path) ?? {}
  throw damaged(path, { backup, reason })
}

/** Refuses to open a marked store for writing. The file is checked again each time, because the mark may be wrong. */
export function refuseMarked({ path }: Pick<Connection, 'path'>): void {
  if (!existsSync(markerOf(path))) return
  const marker = readMarker(path)
  const faults = judgeFile(path)
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

/** Why a process marked the store as damaged; null if it is not marked. */
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

/** Also compares every index with its table: a quick check does not see an entry that is missing. */
export const fullCheck = (connection: Connection): readonly string[] => checkWith(connection, 'integrity_check')

/** Whether the pages hang together: what a crash of the machine may have torn. */
export const quickCheck = (connection: Connection): readonly string[] => checkWith(connection, 'quick_check')

function checkWith(connection: Connection, pragma: 'integrity_check' | 'quick_check'): readonly string[] {
  try {
    const rows = connection.query(raw(`pragma ${pragma}`))
    const words = rows.map((row) => String(row[pragma]))
    const orphans = connection.query(sql`pragma foreign_key_check`)
    return [
      ...words.filter((word) => word !== 'ok'),
      ...orphans.map((row) => `row ${String(row.rowid)} of ${String(row.table)} points to no ${String(row.parent)}`),
    ]
  } catch (error) {
    if (!isCorrupt(error)) throw error
    return [error instanceof Error ? error.message : String(error)]
  }
}
