/** Checks and reads a file, anywhere on this machine, before it is attached to a card. */
import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { open } from '../../util/guarded-files.ts'
import { BoardError } from '../../core/errors.ts'
import { parseLocation } from '../../storage/location.ts'
import { systemReason } from '../../util/system-errors.ts'

const PIECE = 256 * 1024

/**
 * Returns the size of a file without opening it. Throws an error if the file cannot be attached. `store` is the
 * location of the store. A process with an open SQLite database must not open the database file again, because closing
 * it would drop the locks and lose later commits. Files are compared by inode, not by name.
 */
export async function examineFile(path: string, store: string): Promise<number> {
  if (!isAbsolute(path)) throw unusable(path, 'give its absolute path')
  const file = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
  // Only a regular file is read, because reading a pipe or a device may never end.
  if (!file.isFile()) throw unusable(path, file.isDirectory() ? 'it is a folder' : 'it is not a file')
  if (await isOfDatabase(file, store))
    throw new BoardError('not_allowed', `${path} is the board's own database. To copy it: muster backup create.`, {
      details: { path },
    })
  return file.size
}

async function isOfDatabase(file: { dev: number; ino: number }, store: string): Promise<boolean> {
  const location = parseLocation(store)
  if (location.engine !== 'sqlite') return false
  const own = await Promise.all(['', '-wal', '-shm'].map((ending) => stat(location.path + ending).catch(() => null)))
  return own.some((one) => one?.ino === file.ino && one.dev === file.dev)
}

/** Yields the file in pieces. The file is opened only when the first piece is read, and is always closed. */
export async function* readPieces(path: string): AsyncGenerator<Uint8Array> {
  const handle = await open(path, 'r').catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(PIECE), 0, PIECE, null).catch((cause: unknown) => {
        throw unreadable(path, cause)
      })
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

function unreadable(path: string, cause: unknown): BoardError {
  const { code } = cause as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return unusable(path, 'it does not exist')
  return unusable(
    path,
    code === 'EACCES' || code === 'EPERM' ? 'you have no permission to read it' : systemReason(cause),
  )
}

const unusable = (path: string, why: string): BoardError =>
  new BoardError('invalid_input', `${path} cannot be attached: ${why}.`, { details: { path } })
