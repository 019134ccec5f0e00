import { columnsOf, widthOf } from './width.ts'

/** Wraps a line to a width. The line is broken at spaces if possible, otherwise within a word. */
export function wrapLine(line: string, width: number): readonly string[] {
  const most = Math.max(2, width)
  if (widthOf(line) <= most) return [line]
  const lines: string[] = []
  let begun = ''
  let used = 0
  for (const part of line.split(/(?<= )(?=[^ ])/)) {
    const columns = widthOf(part)
    // Spaces at the end of a line may exceed the width, because they are invisible.
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

/** Matches a command, up to the next command, the end of its sentence, or the end of the text. */
const COMMAND = /muster [a-z].*?(?=, or |, then |\. [A-Z]|$)/g
/** The character that replaces a space inside a command, so that `wrapLine` does not break the command there. */
const JOINT = '\u0001'

/**
 * Wraps a sentence at words, but never inside a command, because people copy commands. A command that is wider than the
 * terminal gets its own line, which the terminal itself wraps.
 */
export function wrapAroundCommands(text: string, width: number): readonly string[] {
  const units = text.replace(COMMAND, (command) => command.replaceAll(' ', JOINT)).split(' ')
  const lines: string[] = []
  for (const unit of units) {
    const line = lines.at(-1)
    if (line !== undefined && widthOf(line) + 1 + widthOf(unit) <= width) lines[lines.length - 1] = `${line} ${unit}`
    else lines.push(unit)
  }
  return lines.map((line) => line.replaceAll(JOINT, ' '))
}
