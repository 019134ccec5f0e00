/** The terminal of standard output. Its size is read for each output, because people resize windows. */
import type { WriteStream } from 'node:tty'
import type { Environment } from '../../config/environment.ts'

export interface Terminal {
  readonly columns: number
  readonly rows: number
  readonly colors: boolean
  /** Calls back when the size of the terminal has changed. */
  readonly onResize?: (callback: () => void) => () => void
}

/** The size of a terminal that does not report its size. */
export const DEFAULT_SIZE = { columns: 80, rows: 24 } as const

export const terminalOf = (stream: WriteStream, { colors }: { colors: boolean }): Terminal => ({
  get columns() {
    return stream.columns || DEFAULT_SIZE.columns
  },
  get rows() {
    return stream.rows || DEFAULT_SIZE.rows
  },
  colors,
  onResize: (callback) => {
    stream.on('resize', callback)
    return () => stream.off('resize', callback)
  },
})

/**
 * The terminal that the variable MUSTER_TERMINAL describes. With `MUSTER_TERMINAL=80`, a pipe gets the output for a
 * terminal of 80 columns without colours.
 */
export function requestedTerminal(env: Environment): Terminal | null {
  const columns = Number(env['MUSTER_TERMINAL'])
  return Number.isSafeInteger(columns) && columns > 0 ? { columns, rows: DEFAULT_SIZE.rows, colors: false } : null
}

/**
 * Whether to use colours. NO_COLOR turns them off, and FORCE_COLOR turns them on. Without these variables, a terminal
 * gets colours.
 */
export function wantsColor(env: Environment, { isTerminal }: { isTerminal: boolean }): boolean {
  if (env['NO_COLOR']) return false
  const forced = env['FORCE_COLOR']
  return forced === undefined || forced === '' ? isTerminal : forced !== '0' && forced !== 'false'
}
