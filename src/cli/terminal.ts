/** The terminal of standard output. Its size is read each time, because people resize windows. */
import type { WriteStream } from 'node:tty'

export interface Terminal {
  readonly columns: number
  readonly rows: number
  readonly colors: boolean
  /** Calls back when the size has changed. */
  readonly onResize?: (callback: () => void) => () => void
}

/** Used if the terminal does not report its size. */
const DEFAULT_SIZE = { columns: 80, rows: 24 } as const

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
