/** The horizontal edges of a column, from the start of the content. */
interface Edges {
  readonly start: number
  readonly end: number
}

/** The space before the column at the edge. It is so narrow that nothing of the column before is visible. */
const PADDING = 6

/**
 * Returns the scroll position that shows the column at `index` completely. If the board must scroll, another column begins at the
 * left edge, so that no column is cut there.
 */
export function scrollToColumn(
  columns: readonly Edges[],
  index: number,
  { from, width }: { readonly from: number; readonly width: number },
): number {
  const column = columns[index]
  if (column === undefined) return from
  if (column.start >= from && column.end <= from + width) return from
  const starts = columns.slice(0, index + 1).map(({ start }, at) => (at === 0 ? 0 : start - PADDING))
  return starts.find((start) => column.end <= start + width) ?? starts.at(-1) ?? from
}
