/** Finds the lines of a long output that explain an error, so that a person need not read all of it. */

const TELLING =
  /\b(error|fail(ed|ure|ing)?|fatal|panic|exception|expected|received|assert\w*|not ok|cannot|undefined)\b|✗|✘|×|❌/i

/** Output of up to this many lines is shown completely. */
const SHORT = 12
const MOST = 8
const LAST = 3

export interface Telling {
  readonly lines: readonly string[]
  /** The number of lines that are left out. */
  readonly hidden: number
}

/** Returns the first lines with an error and the end of the output, in order. */
export function tellingLines(output: string): Telling {
  const lines = output.split('\n')
  if (lines.length <= SHORT) return { lines, hidden: 0 }
  const telling = lines.flatMap((line, at) => (TELLING.test(line) ? [at] : [])).slice(0, MOST)
  const last = lines.flatMap((line, at) => (line.trim() === '' ? [] : [at])).slice(-LAST)
  const shown = [...new Set([...telling, ...last])].toSorted((a, b) => a - b)
  return { lines: shown.map((at) => lines[at] ?? ''), hidden: lines.length - shown.length }
}
