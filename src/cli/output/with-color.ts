import type { ColorChoice } from '../common-flags.ts'
import { DEFAULT_SIZE } from './terminal.ts'
import type { Terminal } from './terminal.ts'
import type { World } from '../world.ts'

/**
 * Applies `--color always`. With this flag, a pipe gets the layout of a terminal too, as in `muster board --color
 * always | less -R`.
 */
export function withColor(world: World, choice: ColorChoice): World {
  if (choice === 'auto') return world
  const colors = choice === 'always'
  const size = { columns: Number(world.env['COLUMNS']) || DEFAULT_SIZE.columns, rows: DEFAULT_SIZE.rows }
  const repaint = (terminal: Terminal): Terminal => Object.create(terminal, { colors: { value: colors } }) as Terminal
  const errors = world.errorTerminal?.() ?? null
  return {
    ...world,
    terminal: world.terminal === null ? (colors ? { ...size, colors } : null) : repaint(world.terminal),
    errorTerminal: () => (errors === null ? (colors ? { ...size, columns: Infinity, colors } : null) : repaint(errors)),
  }
}
