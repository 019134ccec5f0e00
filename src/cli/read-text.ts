/** A text that may stand on the line, on standard input (`-`) or in a file (`@path`). */
import { readNamed } from '../util/guarded-files.ts'
import { BoardError } from '../core/errors.ts'
import type { World } from './world.ts'
import { systemWords } from '../util/system-words.ts'

export async function readText({ readStdin }: Pick<World, 'readStdin'>, given: string): Promise<string> {
  if (given === '-') return decode(await readStdin(), 'Standard input')
  if (!given.startsWith('@')) return given
  const path = given.slice(1)
  try {
    return decode(await readNamed(path), path)
  } catch (cause) {
    if (cause instanceof BoardError) throw cause
    throw new BoardError('invalid_input', `${path} cannot be read (${systemWords(cause)}).`, {
      details: { path },
      cause,
    })
  }
}

/** Bytes that are no text are refused, not replaced: what is stored is what was given. */
function decode(bytes: Uint8Array, from: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new BoardError('bad_text', `${from} is not valid UTF-8 text: re-encode it.`, { details: { from }, cause })
  }
}
