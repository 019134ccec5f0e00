/**
 * Formats the sections of a page for a terminal of any width. Paths and commands are never broken, because people copy
 * them.
 */
import { multiLine } from '../output/escape.ts'
import { widthOf } from './width.ts'
import { wrapLine } from './wrap.ts'

/** The width without a terminal. Nothing is wrapped, because programs and `grep` read whole lines. */
export const UNLIMITED = Infinity

const MIN_TEXT = 24

export const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [title, ...lines].join('\n')

/** Wraps text at words and indents each line. The line keeps its own indentation too. */
export function wrapped(text: string, indent: number, width: number): readonly string[] {
  const margin = ' '.repeat(indent)
  return multiLine(text.trimEnd())
    .split('\n')
    .flatMap((line) => {
      const own = Math.min(/^ */.exec(line)?.[0].length ?? 0, MIN_TEXT)
      const lead = `${margin}${' '.repeat(own)}`
      return wrapLine(line.slice(own), textWidth(width, lead.length)).map((part) => `${lead}${part}`.trimEnd())
    })
}

const textWidth = (width: number, indent: number): number =>
  width === UNLIMITED ? Number.MAX_SAFE_INTEGER : Math.max(MIN_TEXT, width - indent)

export interface Row {
  readonly name: string
  readonly text: string
  /** Whether the text is a path or a command. Such a text gets its own line when it does not fit. */
  readonly exact?: boolean
}

/** Formats names in a column with their texts beside them. On a narrow terminal, the texts are below the names. */
export function rows(list: readonly Row[], width: number): readonly string[] {
  const column = Math.max(0, ...list.map(({ name }) => widthOf(name)))
  const beside = column + 4
  return list.flatMap(({ name, text, exact = false }) => {
    const label = `  ${name}${' '.repeat(column - widthOf(name))}  `
    if (exact) return widthOf(text) + beside <= width ? [`${label}${text}`] : [`  ${name}`, `    ${text}`]
    if (width - beside < MIN_TEXT) return [`  ${name}`, ...wrapped(text, 4, width)]
    const [first = '', ...more] = wrapped(text, 0, width - beside)
    return [`${label}${first}`.trimEnd(), ...more.map((line) => `${' '.repeat(beside)}${line}`)]
  })
}
