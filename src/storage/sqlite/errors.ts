/**
 * Maps SQLite's errors to BoardErrors. All errors of the driver have the same `code`, so the mapping uses the number in
 * `errcode`.
 */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { BoardError, diskFull, isDiskFull } from '../../core/errors.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { isFullDisk } from '../../util/full-disk.ts'
import { systemReason } from '../../util/system-errors.ts'

const BUSY = 5
const LOCKED = 6
const IO = 10

/**
 * The messages of errors without a number, which the driver's `all()` throws. These messages come from SQLite itself
 * and are the same in every version.
 */
const MESSAGES: readonly (readonly [message: string, errcode: number])[] = [
  ['database is locked', BUSY],
  ['database table is locked', LOCKED],
  ['attempt to write a readonly database', 8],
  ['disk I/O error', IO],
  ['database disk image is malformed', 11],
  ['malformed database schema', 11],
  ['database or disk is full', 13],
  ['unable to open database file', 14],
  ['constraint failed', 19],
  ['file is not a database', 26],
]

const errcodeOf = (error: unknown): number | null => {
  const { code, errcode, message } = (error ?? {}) as { code?: unknown; errcode?: unknown; message?: unknown }
  if (typeof errcode === 'number') return errcode
  if (code !== 'ERR_SQLITE_ERROR') return null
  return MESSAGES.find(([text]) => String(message).includes(text))?.[1] ?? 1
}

const primary = (error: unknown): number => (errcodeOf(error) ?? 0) & 0xff

export const isBusy = (error: unknown): boolean => primary(error) === BUSY || primary(error) === LOCKED
const FULL = 13
export const isFull = (error: unknown): boolean => primary(error) === FULL
export const isCorrupt = (error: unknown): boolean => primary(error) === 11 || primary(error) === 26

export const RECOVERY_ADVICE =
  'Restore a backup (muster backup list shows them), or move the file and its -wal and -shm files to another folder and run muster init.'

const MEANINGS: Readonly<Record<number, readonly [ErrorCode, (path: string) => string]>> = {
  [BUSY]: ['store_busy', (path) => `The store ${path} is busy: try again in a moment.`],
  [LOCKED]: ['store_busy', (path) => `The store ${path} is busy: try again in a moment.`],
  8: [
    'store_read_only',
    (path) => `The store ${path} cannot be written: check the permissions of the file and its folder.`,
  ],
  [IO]: [
    'store_io',
    (path) => `The disk refused to read or write ${path}: check its space, limits and health. Nothing was changed.`,
  ],
  11: ['store_corrupt', (path) => `The store ${path} is damaged. ${RECOVERY_ADVICE}`],
  14: [
    'store_unreadable',
    (path) => `The store ${path} cannot be opened: check that the file and its folder exist and are yours.`,
  ],
  26: ['store_corrupt', (path) => `The file ${path} is not a database. ${RECOVERY_ADVICE}`],
}

/**
 * Whether the disk is full. If there is no room for the shared memory file, SQLite reports an I/O error to writers and
 * readers.
 */
function isDiskFullAt(folder: string): boolean {
  try {
    return isFullDisk(statfsSync(folder))
  } catch {
    return false
  }
}

/** Converts an error of SQLite to a BoardError, with the original error as cause. Returns other errors unchanged. */
export function explain(error: unknown, path: string): unknown {
  if (error instanceof BoardError || errcodeOf(error) === null) return error
  const meaning = MEANINGS[primary(error)]
  const message = error instanceof Error ? error.message : String(error)
  if (isFull(error) || (primary(error) === IO && isDiskFullAt(dirname(path))))
    return diskFull(path, { cause: error, details: { path, sqlite: message } })
  if (meaning === undefined)
    return new BoardError('internal', `The store ${path} failed: ${message}.`, { cause: error })
  return new BoardError(meaning[0], meaning[1](path), { cause: error, details: { path, sqlite: message } })
}

/**
 * Explains why a reader needs write access: if no process has the store open, the reader must create files beside the
 * store.
 */
export const explainReading = (error: unknown, path: string): unknown =>
  error instanceof BoardError && error.code === 'store_read_only'
    ? new BoardError(
        'store_read_only',
        `The store ${path} cannot be read without permission to write in its folder. Get that permission, or copy the folder and set MUSTER_HOME to the copy.`,
        { cause: error.cause, details: error.details },
      )
    : error

/** Converts an error of the file system in a folder to a BoardError. Returns other errors unchanged. */
export function explainFolder(error: unknown, folder: string): unknown {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new BoardError(
      'store_read_only',
      `${folder} cannot be written: give yourself write permission there, or set MUSTER_HOME to another folder.`,
      { cause: error, details: { folder } },
    )
  if (isDiskFull(error)) return diskFull(folder, { cause: error, details: { folder } })
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EEXIST')
    return new BoardError(
      'store_io',
      `${folder} cannot hold the store (${systemReason(error)}): choose another folder.`,
      {
        cause: error,
        details: { folder },
      },
    )
  return error
}
