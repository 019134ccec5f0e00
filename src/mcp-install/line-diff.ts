/** Finds the changed lines of a file. */

/**
 * The number of characters to show around a change in a long line. A whole file may be one line that contains secrets.
 */
const CONTEXT_CHARACTERS = 30
const LONG_LINE = 160

export function lineDiff(before: string, after: string): readonly string[] {
  const from = linesOf(before)
  const to = linesOf(after)
  const most = Math.min(from.length, to.length)
  let head = 0
  while (head < most && from[head] === to[head]) head += 1
  let tail = 0
  while (tail < most - head && from.at(-1 - tail) === to.at(-1 - tail)) tail += 1
  const removed = from.slice(head, from.length - tail)
  const added = to.slice(head, to.length - tail)
  const [shownRemoved, shownAdded] =
    removed.length === 1 && added.length > 0 ? clipBoth(removed[0] ?? '', added) : [removed, added]
  return [`@@ line ${head + 1} @@`, ...shownRemoved.map((line) => `-${line}`), ...shownAdded.map((line) => `+${line}`)]
}

/** Splits a text into lines. A newline at the end of the text does not start another line. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function clipBoth(line: string, instead: readonly string[]): readonly [readonly string[], readonly string[]] {
  const [first = '', ...others] = instead
  const last = others.at(-1) ?? first
  if (line.length <= LONG_LINE && first.length <= LONG_LINE && last.length <= LONG_LINE) return [[line], instead]
  let head = 0
  while (head < line.length && line[head] === first[head]) head += 1
  let tail = 0
  while (tail < line.length - head && line.at(-1 - tail) === last.at(-1 - tail)) tail += 1
  const skip = Math.max(0, head - CONTEXT_CHARACTERS)
  const drop = Math.max(0, tail - CONTEXT_CHARACTERS)
  const clip = (text: string, isFirst: boolean, isLast: boolean): string =>
    `${isFirst && skip > 0 ? '…' : ''}${text.slice(isFirst ? skip : 0, isLast ? text.length - drop : undefined)}${isLast && drop > 0 ? '…' : ''}`
  return [[clip(line, true, true)], instead.map((text, at) => clip(text, at === 0, at === instead.length - 1))]
}
