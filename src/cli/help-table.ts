/** Formats names and their meanings for the width of the terminal. No text is cut. */
import type { Terminal } from './output/terminal.ts'

/** The width without a terminal, in columns. Every help text fits into this width and 24 lines. */
export const HELP_WIDTH = 80
const NARROWEST = 40
/** The maximum width in columns, because longer lines are hard to read. */
const WIDEST = 100
/** The minimum width of the meanings in columns. A name that leaves less space gets its own line. */
const MEANING_MIN = 24

export const helpWidth = (terminal: Terminal | null): number =>
  terminal === null ? HELP_WIDTH : Math.min(Math.max(terminal.columns, NARROWEST), WIDEST)

export type HelpRow = readonly [name: string, meaning: string]

export interface Space {
  readonly width: number
  readonly lines: number
}

/**
 * Formats a table in one column if it fits. Otherwise the longest rows get a line each, and the other rows share lines
 * in pairs.
 */
export function layTable(rows: readonly HelpRow[], { width, lines: room }: Space): string[] {
  const plain = oneColumn(rows, width)
  if (plain.length <= room) return plain
  const byLength = rows.toSorted((a, b) => lengthOf(b) - lengthOf(a))
  for (let wide = 0; wide < rows.length; wide += 1) {
    const longest = new Set(byLength.slice(0, wide))
    const pairs = twoColumns(rows.filter((row) => !longest.has(row)))
    const single = oneColumn(
      rows.filter((row) => longest.has(row)),
      width,
    )
    const lines = [...single, ...pairs]
    if (pairs.every((line) => line.length <= width) && lines.length <= room) return lines
  }
  return plain
}

const lengthOf = ([name, meaning]: HelpRow): number => name.length + meaning.length

function oneColumn(rows: readonly HelpRow[], width: number): string[] {
  const left = Math.min(Math.max(...rows.map(([name]) => name.length), 0) + 4, width - MEANING_MIN)
  return rows.flatMap(([name, meaning]) => {
    const label = `  ${name}`
    const words = meaning.split(' ')
    if (label.length + 2 <= left) return wrapWords(label.padEnd(left), words, width)
    return [label, ...wrapWords(' '.repeat(left), words, width)]
  })
}

/** Formats pairs of rows side by side. The first column is filled first. */
function twoColumns(rows: readonly HelpRow[]): string[] {
  const half = Math.ceil(rows.length / 2)
  const cells = [rows.slice(0, half), rows.slice(half)].map((column) => {
    const left = Math.max(...column.map(([name]) => name.length), 0) + 2
    return column.map(([name, meaning]) => `  ${name.padEnd(left)}${meaning}`)
  })
  const width = Math.max(...(cells[0] ?? []).map((cell) => cell.length), 0)
  return (cells[0] ?? []).map((cell, at) => `${cell.padEnd(width)}${cells[1]?.[at] ?? ''}`.trimEnd())
}

/** Wraps words after a label. Later lines start below the first word. */
export function wrapWords(label: string, words: readonly string[], width: number): string[] {
  const lines: string[] = []
  let line = label
  for (const word of words) {
    const glue = line.length === label.length ? '' : ' '
    if (glue !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = ' '.repeat(label.length) + word
    } else line += glue + word
  }
  return [...lines, line]
}

/** Breaks a command into lines that end with backslashes, so that a person can copy the command at any width. */
export function foldCommand(command: string, width: number): string[] {
  if (command.length + 2 <= width) return [`  ${command}`]
  const lines = wrapWords('  ', command.match(SHELL_WORD) ?? [], width - 4)
  return lines.map((line, at) => `${at === 0 ? '' : '  '}${line}${at === lines.length - 1 ? '' : ' \\'}`)
}

/** Matches one part of a command. A quoted text is one part, and a flag with its value is one part too. */
const SHELL_WORD = /(?:--[\w-]+ (?![-|]))?(?:"[^"]*"|'[^']*'|[^\s"'])+/g
