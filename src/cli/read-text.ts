/** Reads a text from the command line, from standard input (`-`) or from a file (`@path`). */
import { readNamed } from '../util/guarded-files.ts'
import { BoardError } from '../core/errors.ts'
import type { World } from './world.ts'
import { systemReason } from '../util/system-errors.ts'

export async function readText({ readStdin }: Pick<World, 'readStdin'>, given: string): Promise<string> {
  if (given === '-') return decode(await readStdin(), 'Standard input')
  if (!given.startsWith('@')) return given
  const path = given.slice(1)
  try {
    return decode(await readNamed(path), path)
  } catch (cause) {
    if (cause instanceof BoardError) throw cause
    throw new BoardError('invalid_input', `Can't read ${path}: ${systemReason(cause)}.`, {
      details: { path },
      cause,
    })
  }
}

/** Decodes UTF-8. Throws an error for invalid bytes, because a replacement would change the text. */
function decode(bytes: Uint8Array, from: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new BoardError('bad_text', `${from} is not valid UTF-8 text. Convert it to UTF-8.`, {
      details: { from },
      cause,
    })
  }
}
