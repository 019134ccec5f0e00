/** Lays out names and their meanings to fit the terminal, without cutting text. */
import type { Terminal } from './output/terminal.ts'

/** The width if there is no terminal. Every help text fits this width and 24 lines. */
export const HELP_WIDTH = 80
const NARROWEST = 40
/** Longer lines are hard to read. */
const WIDEST = 100
/** The minimum width of the meanings. A name that leaves less room gets its own line. */
const MEANING_MIN = 24

export const helpWidth = (terminal: Terminal | null): number =>
  terminal === null ? HELP_WIDTH : Math.min(Math.max(terminal.columns, NARROWEST), WIDEST)

export type HelpRow = readonly [name: string, meaning: string]

export interface Space {
  readonly width: number
  readonly lines: number
}

/** One column if it fits. Otherwise the longest rows take a line each, and the others share lines in pairs. */
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

/** Pairs of rows side by side, filled downwards. */
function twoColumns(rows: readonly HelpRow[]): string[] {
  const half = Math.ceil(rows.length / 2)
  const cells = [rows.slice(0, half), rows.slice(half)].map((column) => {
    const left = Math.max(...column.map(([name]) => name.length), 0) + 2
    return column.map(([name, meaning]) => `  ${name.padEnd(left)}${meaning}`)
  })
  const width = Math.max(...(cells[0] ?? []).map((cell) => cell.length), 0)
  return (cells[0] ?? []).map((cell, at) => `${cell.padEnd(width)}${cells[1]?.[at] ?? ''}`.trimEnd())
}

/** Wraps words after a label; later lines are indented under the first word. */
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

/** Folds a command with backslashes, so that it can be copied at any width. */
export function foldCommand(command: string, width: number): string[] {
  if (command.length + 2 <= width) return [`  ${command}`]
  const lines = wrapWords('  ', command.match(SHELL_WORD) ?? [], width - 4)
  return lines.map((line, at) => `${at === 0 ? '' : '  '}${line}${at === lines.length - 1 ? '' : ' \\'}`)
}

/** Keeps a quoted text in one piece, and a flag together with its value. */
const SHELL_WORD = /(?:--[\w-]+ (?![-|]))?(?:"[^"]*"|'[^']*'|[^\s"'])+/g
