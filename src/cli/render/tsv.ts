/** Formats lists for programs: one row per line, tabs between cells, no header. */
import { oneLine } from '../output/escape.ts'

export type Cell = string | number | boolean | null

/** Formats rows. The text of an empty list is empty. */
export const tsv = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((cells) => cells.map((cell) => (cell === null ? '' : oneLine(String(cell)))).join('\t')).join('\n')
