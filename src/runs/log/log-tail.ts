import { withoutTurns } from './log-note.ts'
import { LogReader, logEnd } from './read-log.ts'

const TAIL_BYTES = 4096

/** The line between the output of setup commands and the output of the agent. */
export const SETUP_ENDS = '# muster: the workspace is set up\n'

/**
 * The end of a log as text for the store. Null means that the log is empty. The text has whole lines if possible, and
 * no setup output. NUL bytes are removed, and invalid bytes are replaced.
 */
export async function readLogTail(path: string, bytes = TAIL_BYTES): Promise<string | null> {
  const { first, end } = await logEnd(path)
  const start = Math.max(first, end - bytes)
  const reader = new LogReader(path, start)
  const pieces: Uint8Array[] = []
  for (let left = end - start; left > 0;) {
    const piece = await reader.next()
    if (piece === null) break
    pieces.push(piece.bytes.subarray(0, left))
    left -= piece.bytes.length
  }
  return decodeLogTail(Buffer.concat(pieces), start > 0)
}

/** Decodes the end of a log. `isCut` means that the first line may be incomplete. */
export function decodeLogTail(bytes: Uint8Array, isCut: boolean): string | null {
  const all = new TextDecoder().decode(bytes).replaceAll('\0', '')
  const setup = all.lastIndexOf(SETUP_ENDS)
  const text = setup === -1 ? all : all.slice(setup + SETUP_ENDS.length)
  const newline = text.indexOf('\n')
  const whole = isCut && setup === -1 && newline !== -1 && newline < text.length - 1 ? text.slice(newline + 1) : text
  const own = withoutTurns(whole).trim()
  return own === '' ? null : own
}
