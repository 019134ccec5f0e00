/** The terminal behind standard output. Its size is asked for anew each time: people resize windows. */
import type { WriteStream } from 'node:tty'

export interface Terminal {
  readonly columns: number
  readonly rows: number
  readonly colors: boolean
  /** Calls back when the size has changed. */
  readonly onResize?: (callback: () => void) => () => void
}

/** What a terminal that does not know its size is taken for. */
const USUAL = { columns: 80, rows: 24 } as const

export const terminalOf = (stream: WriteStream, { colors }: { colors: boolean }): Terminal => ({
  get columns() {
    return stream.columns || USUAL.columns
  },
  get rows() {
    return stream.rows || USUAL.rows
  },
  colors,
  onResize: (callback) => {
    stream.on('resize', callback)
    return () => stream.off('resize', callback)
  },
})
