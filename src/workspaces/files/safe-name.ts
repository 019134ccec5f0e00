/** The name under which the board keeps a file: one that no folder, no shell and no terminal can misread. */
import { BoardError } from '../../core/errors.ts'

/** People read characters, file systems count bytes: most allow 255. */
const NAME_CHARACTERS = 200
const NAME_BYTES = 240

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
const EXTENSION = /(?:\.tar)?\.[a-z0-9]{1,16}$/i

/** Keeps only the last part of a path, and removes leading dots and separators. */
export function safeName(given: string): string {
  const last = given.replaceAll('\\', '/').split('/').at(-1) ?? ''
  const name = last
    .replace(UNPRINTABLE, '')
    .trim()
    .replace(/^[.\s]+/, '')
  if (name === '')
    throw new BoardError('invalid_input', `"${given}" is no name for a file: give one such as report.txt.`, {
      details: { name: given },
    })
  return withTail(name, '')
}

/** `report.pdf`, then `report (1).pdf`, and so on. */
export const numbered = (name: string, number: number): string => withTail(name, number === 0 ? '' : ` (${number})`)

/** Whether a file that was asked to be called `name` may have got this one. */
export function isNumbered(filename: string, name: string): boolean {
  const [, number = '0'] = / \((\d+)\)$/.exec(filename.replace(EXTENSION, '')) ?? []
  return filename === name || filename === numbered(name, Number(number))
}

/** Puts a tail before the extension; what is too long is cut in front of both. */
function withTail(name: string, tail: string): string {
  const extension = EXTENSION.exec(name)?.[0] ?? ''
  const end = `${tail}${extension}`
  let stem = Array.from(name.slice(0, name.length - extension.length)).slice(0, NAME_CHARACTERS - end.length)
  while (Buffer.byteLength(stem.join('') + end) > NAME_BYTES) stem = stem.slice(0, -1)
  return stem.join('').trimEnd() + end
}
