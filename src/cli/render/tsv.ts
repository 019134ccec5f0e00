/** Lists for programs: one row per line, cells separated by tabs, without a header. */
import { oneLine } from '../output/escape.ts'

export type Cell = string | number | boolean | null

/** An empty list prints nothing. */
export const tsv = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((cells) => cells.map((cell) => (cell === null ? '' : oneLine(String(cell)))).join('\t')).join('\n')
