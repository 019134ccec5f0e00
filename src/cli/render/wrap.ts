import { columnsOf, widthOf } from './width.ts'

/** A line in several of at most so many columns: broken at a space where there is one, else within the word. */
export function wrapLine(line: string, width: number): readonly string[] {
  const most = Math.max(2, width)
  if (widthOf(line) <= most) return [line]
  const lines: string[] = []
  let begun = ''
  let used = 0
  for (const part of line.split(/(?<= )(?=[^ ])/)) {
    const columns = widthOf(part)
    // The spaces behind a word may hang over: nobody sees them.
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
