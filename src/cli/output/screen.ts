/**
 * The alternate screen of the terminal; leaving it restores the old contents. Lines are drawn over the old ones, without
 * clearing the screen, so that nothing flickers.
 */
import type { World } from '../world.ts'

const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l'
const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l'

export interface Screen {
  draw(lines: readonly string[]): void
  leave(): void
}

export function enterScreen({ stdout }: Pick<World, 'stdout'>): Screen {
  let isOpen = true
  stdout.write(ENTER)
  return {
    draw: (lines) => {
      // A line is cleared before it is drawn, because afterwards the cursor may be on its last character.
      if (isOpen) stdout.write(`\x1b[H${lines.map((line) => `\x1b[2K${line}`).join('\r\n')}\x1b[J`)
    },
    leave: () => {
      if (isOpen) stdout.write(LEAVE)
      isOpen = false
    },
  }
}
