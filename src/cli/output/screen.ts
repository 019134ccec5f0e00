/**
 * The alternate screen of the terminal. When it ends, the terminal shows its old contents again. Only lines that
 * changed are written, so the screen does not flicker, and a slow connection is enough.
 */
import type { World } from '../world.ts'

/**
 * Selects the alternate screen, hides the cursor, turns off line wrapping, and asks the terminal to mark pasted text.
 */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h'
const LEAVE = '\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l'

interface Picture {
  readonly lines: readonly string[]
  readonly cursor: { readonly row: number; readonly column: number } | null
}

export interface Screen {
  draw(picture: Picture): void
  /** Clears the screen, so that the next drawing writes all lines. */
  clear(): void
  leave(): void
}

/** Moves the cursor to a row and a column, which terminals count from 1. */
const at = (row: number, column: number): string => `\x1b[${row + 1};${column + 1}H`

export function enterScreen({ stdout, onExit }: Pick<World, 'stdout' | 'onExit'>): Screen {
  let isOpen = true
  let shown: readonly string[] = []
  const leave = (): void => {
    if (isOpen) stdout.write(LEAVE)
    isOpen = false
    forgetExit?.()
  }
  const forgetExit = onExit?.(leave)
  stdout.write(ENTER)
  return {
    draw: ({ lines, cursor }) => {
      if (!isOpen) return
      const changed = lines.flatMap((line, row) => (line === shown[row] ? [] : [`${at(row, 0)}\x1b[2K${line}`]))
      // The cursor is hidden while lines are drawn. Otherwise the cursor would jump over the screen.
      const place = cursor === null ? '' : `${at(cursor.row, cursor.column)}\x1b[?25h`
      stdout.write(`\x1b[?25l${changed.join('')}${place}`)
      shown = lines
    },
    clear: () => {
      shown = []
      if (isOpen) stdout.write('\x1b[2J')
    },
    leave,
  }
}
