/**
 * Formats the transcript of a run. Messages are complete, tool calls have one line each, and results are shortened. The
 * log has the whole texts.
 */
import type { Passage } from '../../harnesses/stream/passage.ts'
import { failureText, inputText, usageText } from '../../harnesses/stream/passage-text.ts'
import { toolName } from '../../harnesses/stream/tool-name.ts'
import { createColors } from './paint.ts'
import type { Colors } from './paint.ts'
import { multiLine, oneLine } from '../output/escape.ts'
import type { Terminal } from '../output/terminal.ts'
import { cutTo } from './width.ts'
import { localTime, size } from './format-values.ts'
import { wrapLine } from './wrap.ts'

/** The number of lines to show of a result. The result of a failed call has more lines. */
const RESULT_LINES = { ok: 3, failed: 12 } as const
const RESULT_LINE_COLUMNS = 400

/** Formats one passage as lines. Each line ends with a newline. */
export function passageText(passage: Passage, terminal: Pick<Terminal, 'columns' | 'colors'> | null): string {
  const colors = createColors(terminal?.colors ?? false)
  const lines = linesOf(passage, { colors, columns: terminal?.columns ?? Infinity })
  return lines.map((line) => `${line}\n`).join('')
}

interface Page {
  readonly colors: Colors
  readonly columns: number
}

function linesOf(passage: Passage, page: Page): readonly string[] {
  const { cyan, green, yellow, red, dim, bold } = page.colors
  switch (passage.kind) {
    case 'turn':
      return hang('── ', `turn ${passage.turn}`, { ...page, paint: dim })
    case 'said':
      return [
        '',
        ...multiLine(passage.text.trim())
          .split('\n')
          .flatMap((line) => hang('', line, page)),
        '',
      ]
    case 'called': {
      const text = `${oneLine(toolName(passage.tool))} ${oneLine(inputText(passage.input))}`.trim()
      return hang('→ ', text, { ...page, paint: cyan })
    }
    case 'returned':
      return resultLines(passage, { ...page, paint: passage.ok ? dim : red })
    case 'changed':
      return hang('± ', oneLine(passage.path), { ...page, paint: green })
    case 'used': {
      const text = usageText(passage.usage)
      return text === '' ? [] : hang('  ', text, { ...page, paint: dim })
    }
    case 'waits':
      return hang('! ', `waits: ${causeText(passage)}`, { ...page, paint: yellow })
    case 'failed':
      return hang('✗ ', causeText(passage), { ...page, paint: (text) => bold(red(text)) })
    case 'printed':
      return multiLine(passage.text).replace(/\n$/, '').split('\n')
    case 'omitted':
      return [`[… ${passage.bytes} bytes omitted …]`]
    case 'unknown':
      return hang('', `(${lineCount(passage.lines)} of other kinds omitted; to see them: --raw)`, {
        ...page,
        paint: dim,
      })
  }
}

/** The message of a failure. Some CLIs add the reset time as `|<seconds>` at its end. */
const causeText = (passage: Parameters<typeof failureText>[0]): string =>
  oneLine(failureText(passage)).replace(/ ?\|(\d{10})\b/, (_, seconds) => ` until ${localTime(Number(seconds) * 1000)}`)

const lineCount = (lines: number): string => (lines === 1 ? '1 line' : `${lines} lines`)

function resultLines({ ok, text }: { ok: boolean; text: string }, page: Page & { paint: Paint }): readonly string[] {
  const lines = multiLine(recordedIn(text) ?? foldedJson(text) ?? text)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const shown = lines
    .slice(0, ok ? RESULT_LINES.ok : RESULT_LINES.failed)
    .map((line) => cutTo(line, RESULT_LINE_COLUMNS))
  const [first = ok ? 'ok' : 'failed', ...others] = shown
  const more = lines.length - shown.length
  return [
    ...hang(ok ? '  ✓ ' : '  ✗ ', first, page),
    ...others.flatMap((line) => hang('    ', line, page)),
    ...(more > 0 ? hang('    ', `… ${more} more ${more === 1 ? 'line' : 'lines'}`, page) : []),
  ]
}

/** Finds the sentence about the recorded verdict in the answer of a board tool. */
function recordedIn(text: string): string | null {
  if (!text.startsWith('{')) return null
  try {
    const { recorded } = JSON.parse(text) as { readonly recorded?: unknown }
    return typeof recorded === 'string' && recorded !== '' ? recorded : null
  } catch {
    return null
  }
}

/** The maximum length of JSON that is printed completely. */
const JSON_LENGTH = 200
const JSON_NAMES = 6

/** Shortens long JSON to one line with its size. Returns null for all other texts. */
function foldedJson(text: string): string | null {
  if (text.length <= JSON_LENGTH || !/^\s*[[{]/.test(text)) return null
  try {
    const value = JSON.parse(text) as object
    const bytes = size(Buffer.byteLength(text))
    if (Array.isArray(value)) return `JSON, ${bytes}: a list of ${value.length}`
    const names = Object.keys(value)
    return `JSON, ${bytes}: ${names.slice(0, JSON_NAMES).join(', ')}${names.length > JSON_NAMES ? ', …' : ''}`
  } catch {
    return null
  }
}

type Paint = (text: string) => string

/** Formats a text after a mark. Wrapped lines are indented below the first line. */
function hang(
  mark: string,
  text: string,
  { columns, paint = (line) => line }: Page & { paint?: Paint },
): readonly string[] {
  const room = columns - mark.length
  const lines = wrapLine(text.replaceAll('\t', '    ').trimEnd(), Math.max(room, 8))
  return lines.map((line, at) => paint(`${at === 0 ? mark : ' '.repeat(mark.length)}${line}`.trimEnd()))
}
