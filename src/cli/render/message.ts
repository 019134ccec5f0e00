/** Errors and notices on standard error: wrapped at words, and with colours on a terminal. */
import type { BoardError, ErrorCode } from '../../core/errors.ts'
import { oneLine } from '../output/escape.ts'
import type { Terminal } from '../output/terminal.ts'
import { createColors } from './paint.ts'
import { wrapLine } from './wrap.ts'

const PREFIX = 'muster: '

/** Hints for the command line only, because people find a card in other ways on other surfaces. */
const HINTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  task_not_found: 'To list the cards: muster list',
  dispatcher_superseded: 'To watch the cards: muster watch',
}

export function errorText(
  { code, message: text }: Pick<BoardError, 'code' | 'message'>,
  terminal: Terminal | null,
): string {
  const hint = HINTS[code]
  const message = hint === undefined || text.includes('muster ') ? text : `${text} ${hint}`
  if (terminal === null) return `${PREFIX}${oneLine(message)}`
  const { red, bold } = createColors(terminal.colors)
  const [first = '', ...rest] = wrapMessage(`${PREFIX}${oneLine(message)}`, terminal.columns)
  return [
    `${red(bold(PREFIX.trim()))}${paintCommands(first.slice(PREFIX.length - 1), terminal)}`,
    ...rest.map((line) => paintCommands(line, terminal)),
  ].join('\n')
}

export function noticeText(text: string, terminal: Terminal | null): string {
  if (terminal === null) return text
  const { yellow } = createColors(terminal.colors)
  return text
    .split('\n')
    .flatMap((line) => wrapMessage(line, terminal.columns))
    .map((line) =>
      paintCommands(
        line.replace(/^(?:muster: )?[Ww]arning:/, (label) => yellow(label)),
        terminal,
      ),
    )
    .join('\n')
}

/** A command that people copy: `: muster up`, `→ muster answer t_4k2 '…'`, or in backquotes. */
const COMMAND = /(?<=: |→ |^ +)muster [a-z].*$|`[^`]+`/g

const paintCommands = (line: string, { colors }: Terminal): string =>
  line.replace(COMMAND, (command) => createColors(colors).cyan(command))

/** Wraps at words. A command at the end stays in one piece, on a line of its own if it does not fit. */
function wrapMessage(line: string, width: number): readonly string[] {
  if (line.length <= width) return [line]
  const [, before = line, command] = /^(.*?:) (muster [a-z].*)$/.exec(line) ?? []
  const wrapped = wrapLine(before, width)
  return command === undefined ? wrapped : [...wrapped, `  ${command}`]
}
