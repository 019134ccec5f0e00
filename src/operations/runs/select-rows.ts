/** Selects the rows of a transcript that a filter shows. */
import type { RowContent, StoredRow } from '../../harnesses/stream/transcript-rows.ts'
import type { RowFilter } from './row-views.ts'

const isMessage = (content: RowContent): boolean =>
  content.kind === 'call' ? content.action === 'report' : ['said', 'failed', 'waits', 'event'].includes(content.kind)

const isChange = (content: RowContent): boolean =>
  content.kind === 'changed' ||
  (content.kind === 'call' && (content.action === 'edit' || content.edit !== null)) ||
  (content.kind === 'event' && content.event.kind === 'committed')

const FILTERS: Readonly<Record<RowFilter, (content: RowContent) => boolean>> = {
  all: () => true,
  raw: () => true,
  messages: isMessage,
  changes: isChange,
}

/** The numbers of the rows that a filter shows. A plain line is neither a message nor a change. */
export function rowsShown(rows: readonly StoredRow[], show: RowFilter): readonly number[] {
  const showsLines = show === 'all' || show === 'raw'
  const isShown = FILTERS[show]
  const shown: number[] = []
  for (const [n, row] of rows.entries()) if (typeof row === 'number' ? showsLines : isShown(row.content)) shown.push(n)
  return shown
}
