/** Converts errors of the operating system to text for people. */
import { BoardError, diskFull, isDiskFull } from '../core/errors.ts'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'its disk is read-only',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it already exists',
  ENOTEMPTY: 'it is not empty',
  EFTYPE: 'it is not a file',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your disk quota is used up',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links form a loop',
  EXDEV: 'it is on another disk',
  EBUSY: 'it is in use',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk failed',
}

/**
 * The reason of an error without the path, for a sentence that already names the file or folder. Unknown errors keep
 * their message.
 */
export function systemReason(error: unknown): string {
  const { code = '', message } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  return REASONS[code] ?? message ?? String(error)
}

export function systemReasonWithPath(error: unknown): string {
  const { path } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  const reason = systemReason(error)
  return path === undefined || reason.includes(path) ? reason : `${reason} (${path})`
}

/** The error for a file or folder that could not be written. `message` is used unless the disk is full. */
export function writeFault(
  cause: unknown,
  path: string,
  message = `${path} cannot be written (${systemReason(cause)}).`,
): BoardError {
  const options = { details: { path }, cause }
  return isDiskFull(cause) ? diskFull(path, options) : new BoardError('store_io', message, options)
}
