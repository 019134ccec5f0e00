/** Chooses the most informative lines of a long output: lines with errors, otherwise the end of the output. */
import { cut } from '../../core/text.ts'

/** A part of a text. `lines` is the number of lines of the whole text. */
export interface Excerpt {
  readonly text: string
  readonly lines: number
  readonly isWhole: boolean
}

const LINES_MAX = 10
const LINE_LENGTH = 400
/** The maximum number of lines that are shown whole, because an excerpt of a short text would hardly save space. */
const WHOLE_LINES = 14

const TELLING =
  /\b(?:error|failed|failure|fatal|panic(?:ked)?|exception|traceback|assert(?:ion)?|expected|not found|denied|cannot|undefined reference)\b|^\s*[\u2717\u2716\u00d7\u274c]|^\s*(?:FAIL|ERR!?|E\s{2,})|\w+Error:/i
/** Matches a line that reports that there are no errors. */
const HARMLESS = /\b(?:0|no) (?:errors?|failed|failures?)\b/i

// oxlint-disable-next-line no-control-regex -- the colours of a terminal
const COLORS = /\u001B\[[\d;]*m/g

function isTelling(given: string): boolean {
  const line = given.replaceAll(COLORS, '')
  return TELLING.test(line) && !HARMLESS.test(line)
}

export function excerptOf(text: string): Excerpt {
  const whole = text.replace(/\s+$/, '')
  const lines = whole === '' ? [] : whole.split('\n')
  const isShort = lines.length <= WHOLE_LINES && lines.every((line) => line.length <= LINE_LENGTH)
  if (isShort) return { text: whole, lines: lines.length, isWhole: true }
  const shown = lines.length <= WHOLE_LINES ? lines : tellingLines(lines)
  return { text: shown.map((line) => cut(line, LINE_LENGTH)).join('\n'), lines: lines.length, isWhole: false }
}

/**
 * The lines with errors. The line after each of them is included, because it often has the place. If no line has an
 * error, the last lines.
 */
function tellingLines(lines: readonly string[]): readonly string[] {
  const chosen = new Set<number>()
  for (const [at, line] of lines.entries()) {
    if (!isTelling(line)) continue
    chosen.add(at)
    if (at + 1 < lines.length) chosen.add(at + 1)
    if (chosen.size >= LINES_MAX) break
  }
  if (chosen.size === 0) return lines.slice(-LINES_MAX).filter((line) => line.trim() !== '')
  return [...chosen].slice(0, LINES_MAX).flatMap((at) => lines[at] ?? [])
}
