/** Prints errors and notices on standard error. Lines are wrapped at words. A terminal gets colours. */
import type { BoardError, ErrorCode } from '../../core/errors.ts'
import { oneLine } from '../output/escape.ts'
import type { Terminal } from '../output/terminal.ts'
import { createColors } from './paint.ts'
import { wrapLine } from './wrap.ts'

const PREFIX = 'muster: '

/** Hints that only the command line prints. Other surfaces have other ways to find a card. */
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

/** Matches a command that people copy: `: muster up`, `→ muster answer t_4k2 '…'`, or text in backquotes. */
const COMMAND = /(?<=: |→ |^ +)muster [a-z].*$|`[^`]+`/g

const paintCommands = (line: string, { colors }: Terminal): string =>
  line.replace(COMMAND, (command) => createColors(colors).cyan(command))

/**
 * Wraps a line at words. A command at the end of the line stays in one piece. If the command does not fit, it gets its
 * own line.
 */
function wrapMessage(line: string, width: number): readonly string[] {
  if (line.length <= width) return [line]
  const [, before = line, command] = /^(.*?:) (muster [a-z].*)$/.exec(line) ?? []
  const wrapped = wrapLine(before, width)
  return command === undefined ? wrapped : [...wrapped, `  ${command}`]
}
