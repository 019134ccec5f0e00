/** The lines that a change takes away and brings, and no others. */

/** So much of a line is shown around what changes in it: a whole file may be one line, with secrets in it. */
const AROUND = 30
const LONG = 160

export function lineDiff(before: string, after: string): readonly string[] {
  const from = linesOf(before)
  const to = linesOf(after)
  const most = Math.min(from.length, to.length)
  let head = 0
  while (head < most && from[head] === to[head]) head += 1
  let tail = 0
  while (tail < most - head && from.at(-1 - tail) === to.at(-1 - tail)) tail += 1
  const gone = from.slice(head, from.length - tail)
  const come = to.slice(head, to.length - tail)
  const [shownGone, shownCome] = gone.length === 1 && come.length > 0 ? clipBoth(gone[0] ?? '', come) : [gone, come]
  return [`@@ line ${head + 1} @@`, ...shownGone.map((line) => `-${line}`), ...shownCome.map((line) => `+${line}`)]
}

/** The end of the last line is no line of its own. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function clipBoth(line: string, instead: readonly string[]): readonly [readonly string[], readonly string[]] {
  const [first = '', ...others] = instead
  const last = others.at(-1) ?? first
  if (line.length <= LONG && first.length <= LONG && last.length <= LONG) return [[line], instead]
  let head = 0
  while (head < line.length && line[head] === first[head]) head += 1
  let tail = 0
  while (tail < line.length - head && line.at(-1 - tail) === last.at(-1 - tail)) tail += 1
  const skip = Math.max(0, head - AROUND)
  const drop = Math.max(0, tail - AROUND)
  const clip = (text: string, isFirst: boolean, isLast: boolean): string =>
    `${isFirst && skip > 0 ? '…' : ''}${text.slice(isFirst ? skip : 0, isLast ? text.length - drop : undefined)}${isLast && drop > 0 ? '…' : ''}`
  return [[clip(line, true, true)], instead.map((text, at) => clip(text, at === 0, at === instead.length - 1))]
}
