/** Reads the last output of an agent from the end of its log. */
import { cutFront } from '../../core/text.ts'
import { beginsTurn } from '../../runs/log/log-note.ts'
import { SETUP_ENDS, readLogTail } from '../../runs/log/log-tail.ts'
import { LogReader, logEnd } from '../../runs/log/read-log.ts'
import type { ReadLine } from '../../harnesses/stream/entry.ts'
import { findReader } from './find-reader.ts'
import { passageStep, stepLine } from '../../harnesses/stream/passage-text.ts'
import type { Step } from '../../harnesses/stream/passage-text.ts'
import { makeTranscript } from '../../harnesses/stream/transcript.ts'

/** The number of bytes to read. This number is enough for several lines of a CLI's stream, which are long. */
const END_BYTES = 256 * 1024
const PLAIN_BYTES = 4096
const OUTPUT_LENGTH = 4096

/** The last line of a plain log, or the last message or action of a CLI's stream. */
export async function readLastLine(log: string): Promise<string | null> {
  const readLine = await findReader(log)
  if (readLine !== null) return (await lastLines(log, readLine)).at(-1) ?? null
  return (await readLogTail(log, PLAIN_BYTES))?.split('\n').at(-1) ?? null
}

/** The last steps of an agent, oldest first. For a plain log, these are its last lines. */
export async function readLastSteps(log: string, most: number): Promise<readonly Step[]> {
  const readLine = await findReader(log)
  const steps =
    readLine === null
      ? ((await readLogTail(log, PLAIN_BYTES))?.split('\n') ?? []).map((text): Step => ({ kind: 'said', text }))
      : await lastSteps(log, readLine)
  return steps.filter(({ text }) => text.trim() !== '').slice(-most)
}

/** The last lines of a log, as text for the store. Null means that the log is empty. */
export async function readLastOutput(log: string, readLine: ReadLine | null): Promise<string | null> {
  if (readLine === null) return readLogTail(log)
  const lines = await lastLines(log, readLine)
  const text = cutFront(lines.join('\n').replaceAll('\0', ''), OUTPUT_LENGTH).trim()
  return text === '' ? null : text
}

const lastLines = async (log: string, readLine: ReadLine): Promise<readonly string[]> =>
  (await lastSteps(log, readLine)).map(stepLine)

/** The last steps of the last turn. If that turn printed nothing, returns the last steps of all turns. */
async function lastSteps(log: string, readLine: ReadLine): Promise<readonly Step[]> {
  const { first, end } = await logEnd(log)
  const start = Math.max(first, end - END_BYTES)
  const reader = new LogReader(log, start)
  const transcript = makeTranscript(readLine, { midway: start > 0 })
  const steps: Step[] = []
  for (let left = end - start; left > 0;) {
    const piece = await reader.next()
    if (piece === null) break
    left -= piece.bytes.length
    steps.push(...transcript.take(piece).flatMap((passage) => passageStep(passage) ?? []))
  }
  steps.push(...transcript.end().flatMap((passage) => passageStep(passage) ?? []))
  const isTurn = (step: Step): boolean => beginsTurn(stepLine(step))
  const own = steps.slice(steps.findLastIndex((step) => stepLine(step) === SETUP_ENDS.trim()) + 1)
  const lastTurn = own.slice(own.findLastIndex(isTurn) + 1)
  return lastTurn.length > 0 ? lastTurn : own.filter((step) => !isTurn(step))
}
