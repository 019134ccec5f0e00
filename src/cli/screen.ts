/**
 * A screen of our own on the terminal, which gives back what was there before. Lines are drawn over the old ones, never
 * onto an empty screen, so that nothing flickers.
 */
import type { World } from './world.ts'

const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l'
const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l'

export interface Screen {
  draw(lines: readonly string[]): void
  leave(): void
}

export function enterScreen({ stdout }: Pick<World, 'stdout'>): Screen {
  let here = true
  stdout.write(ENTER)
  return {
    draw: (lines) => {
      // Each line is cleared before it is drawn: afterwards the cursor may stand on its last character.
      if (here) stdout.write(`\x1b[H${lines.map((line) => `\x1b[2K${line}`).join('\r\n')}\x1b[J`)
    },
    leave: () => {
      if (here) stdout.write(LEAVE)
      here = false
    },
  }
}
