/** Makes file names that are safe in folders, shells and terminals. */
import { BoardError } from '../../core/errors.ts'

/**
 * The limit in characters keeps names readable. The limit in bytes fits file systems, most of which allow 255 bytes.
 */
const NAME_CHARACTERS = 200
const NAME_BYTES = 240

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
const EXTENSION = /(?:\.tar)?\.[a-z0-9]{1,16}$/i

/** Turns a given path into a safe file name: the last part of the path, without leading dots and separators. */
export function safeName(given: string): string {
  const last = given.replaceAll('\\', '/').split('/').at(-1) ?? ''
  const name = last
    .replace(UNPRINTABLE, '')
    .trim()
    .replace(/^[.\s]+/, '')
  if (name === '')
    throw new BoardError('invalid_input', `"${given}" is not a valid file name: use a name such as report.txt.`, {
      details: { name: given },
    })
  return withTail(name, '')
}

/** The name with a number: `report.pdf` becomes `report (1).pdf`, then `report (2).pdf`, and so on. */
export const numbered = (name: string, number: number): string => withTail(name, number === 0 ? '' : ` (${number})`)

/** Whether `filename` is `name`, or `name` with a number. */
export function isNumbered(filename: string, name: string): boolean {
  const [, number = '0'] = / \((\d+)\)$/.exec(filename.replace(EXTENSION, '')) ?? []
  return filename === name || filename === numbered(name, Number(number))
}

/** Puts a text before the extension. If the result is too long, the name is shortened before the text. */
function withTail(name: string, tail: string): string {
  const extension = EXTENSION.exec(name)?.[0] ?? ''
  const end = `${tail}${extension}`
  let stem = Array.from(name.slice(0, name.length - extension.length)).slice(0, NAME_CHARACTERS - end.length)
  while (Buffer.byteLength(stem.join('') + end) > NAME_BYTES) stem = stem.slice(0, -1)
  return stem.join('').trimEnd() + end
}
