import { BoardError, diskFull, isDiskFull } from '../core/errors.ts'
import { systemWords } from './system-words.ts'

/** Why a file or folder could not be written. `message` is the sentence unless the disk is full. */
export function writeFault(
  cause: unknown,
  path: string,
  message = `${path} cannot be written (${systemWords(cause)}).`,
): BoardError {
  const options = { details: { path }, cause }
  return isDiskFull(cause) ? diskFull(path, options) : new BoardError('store_io', message, options)
}
