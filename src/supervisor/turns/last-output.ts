/** Reads the last output of an agent from the end of its log. */
import { cutFront } from '../../core/text.ts'
import { beginsTurn } from '../../runs/log/log-note.ts'
import { SETUP_ENDS, readLogTail } from '../../runs/log/log-tail.ts'
import { LogReader, logEnd } from '../../runs/log/read-log.ts'
import type { ReadLine } from '../../harnesses/stream/entry.ts'
import { findReader } from './find-reader.ts'
import { passageLine } from '../../harnesses/stream/passage-text.ts'
import { makeTranscript } from '../../harnesses/stream/transcript.ts'

/** Enough for several lines of a CLI's stream, which are long. */
const END_BYTES = 256 * 1024
const PLAIN_BYTES = 4096
const OUTPUT_LENGTH = 4096

/** The last line of a plain log, or the last message or action of a CLI's stream. */
export async function readLastLine(log: string): Promise<string | null> {
  const readLine = await findReader(log)
  if (readLine !== null) return (await lastLines(log, readLine)).at(-1) ?? null
  return (await readLogTail(log, PLAIN_BYTES))?.split('\n').at(-1) ?? null
}

/** The last lines of a log, as text for the store. Null if the log is empty. */
export async function readLastOutput(log: string, readLine: ReadLine | null): Promise<string | null> {
  if (readLine === null) return readLogTail(log)
  const lines = await lastLines(log, readLine)
  const text = cutFront(lines.join('\n').replaceAll('\0', ''), OUTPUT_LENGTH).trim()
  return text === '' ? null : text
}

/** The last lines of the last turn. If that turn printed nothing, the last lines of all turns. */
async function lastLines(log: string, readLine: ReadLine): Promise<readonly string[]> {
  const { first, end } = await logEnd(log)
  const start = Math.max(first, end - END_BYTES)
  const reader = new LogReader(log, start)
  const transcript = makeTranscript(readLine, { midway: start > 0 })
  const lines: string[] = []
  for (let left = end - start; left > 0;) {
    const piece = await reader.next()
    if (piece === null) break
    left -= piece.bytes.length
    lines.push(...transcript.take(piece).flatMap((passage) => passageLine(passage) ?? []))
  }
  lines.push(...transcript.end().flatMap((passage) => passageLine(passage) ?? []))
  const own = lines.slice(lines.lastIndexOf(SETUP_ENDS.trim()) + 1)
  const lastTurn = own.slice(own.findLastIndex(beginsTurn) + 1)
  return lastTurn.length > 0 ? lastTurn : own.filter((line) => !beginsTurn(line))
}
