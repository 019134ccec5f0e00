/**
 * Converts terminal colours into styled pieces of text. All other control sequences are removed, so that output cannot
 * change the page.
 */
import { SEQUENCE, lastStates, withoutControls } from '../../ui/plain-text.ts'

export const ANSI_COLORS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const
export type AnsiColor = (typeof ANSI_COLORS)[number]

export interface AnsiStyle {
  readonly color: AnsiColor | null
  readonly isBold: boolean
  readonly isDim: boolean
  readonly isItalic: boolean
  readonly isUnderlined: boolean
}

export interface AnsiPiece extends AnsiStyle {
  readonly text: string
}

const PLAIN: AnsiStyle = { color: null, isBold: false, isDim: false, isItalic: false, isUnderlined: false }

export function ansiPieces(given: string, before: AnsiStyle = PLAIN): readonly AnsiPiece[] {
  const text = lastStates(given)
  if (!text.includes('\u001B')) return pieceOf(text, before)
  const pieces: AnsiPiece[] = []
  let style = before
  let at = 0
  for (const found of text.matchAll(SEQUENCE)) {
    pieces.push(...pieceOf(text.slice(at, found.index), style))
    if (found[2] === 'm') style = styleAfter(style, found[1] ?? '')
    at = found.index + found[0].length
  }
  return [...pieces, ...pieceOf(text.slice(at), style)]
}

function pieceOf(text: string, style: AnsiStyle): readonly AnsiPiece[] {
  const shown = withoutControls(text)
  return shown === '' ? [] : [{ ...style, text: shown }]
}

/**
 * Returns the style after a control sequence. Only the eight named colours are used, because they are readable in both
 * themes.
 */
function styleAfter(before: AnsiStyle, codes: string): AnsiStyle {
  let style = before
  const numbers = codes.split(/[;:]/).map(Number)
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0
    if (code === 38 || code === 48) {
      const isIndexed = numbers[at + 1] === 5
      if (code === 38)
        style = { ...style, color: isIndexed ? colorAt((numbers[at + 2] ?? 99) % 8, numbers[at + 2]) : null }
      at += isIndexed ? 2 : 4
    } else style = styleWith(style, code)
  }
  return style
}

/** Returns a named colour of the palette. The first 16 colours of the palette are the named colours. */
const colorAt = (index: number, of = index): AnsiColor | null => (of < 16 ? (ANSI_COLORS[index] ?? null) : null)

function styleWith(style: AnsiStyle, code: number): AnsiStyle {
  if (code === 0) return PLAIN
  if (code === 1) return { ...style, isBold: true }
  if (code === 2) return { ...style, isDim: true }
  if (code === 3) return { ...style, isItalic: true }
  if (code === 4) return { ...style, isUnderlined: true }
  if (code === 22) return { ...style, isBold: false, isDim: false }
  if (code === 23) return { ...style, isItalic: false }
  if (code === 24) return { ...style, isUnderlined: false }
  if (code === 39) return { ...style, color: null }
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return { ...style, color: colorAt(code % 10) }
  return style
}
