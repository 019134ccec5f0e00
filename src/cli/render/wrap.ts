import { columnsOf, widthOf } from './width.ts'

/** Wraps a line to a width, at spaces if possible, else within a word. */
export function wrapLine(line: string, width: number): readonly string[] {
  const most = Math.max(2, width)
  if (widthOf(line) <= most) return [line]
  const lines: string[] = []
  let begun = ''
  let used = 0
  for (const part of line.split(/(?<= )(?=[^ ])/)) {
    const columns = widthOf(part)
    // Trailing spaces may exceed the width, because they are invisible.
    if (used + widthOf(part.trimEnd()) > most && begun.trim() !== '') {
      lines.push(begun.trimEnd())
      begun = ''
      used = 0
    }
    if (columns <= most - used) {
      begun += part
      used += columns
      continue
    }
    for (const character of part) {
      const wide = columnsOf(character)
      if (used + wide > most) {
        lines.push(begun.trimEnd())
        begun = ''
        used = 0
        if (character === ' ') continue
      }
      begun += character
      used += wide
    }
  }
  return begun.trim() === '' ? lines : [...lines, begun.trimEnd()]
}
