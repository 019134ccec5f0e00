/**
 * Exports a store as one JSON document. It is written in pieces, because a large store exceeds the maximum length of a
 * string.
 */
import type { ExportedRow, Store } from '../../storage/store.ts'

const PIECE_LENGTH = 64 * 1024

/**
 * Writes the same text as `JSON.stringify({ format, version, tables }, null, 2)` and a newline. The text contains
 * neither the time of the export nor the location of the store, so equal stores give equal bytes. Returns the number of
 * rows of each table.
 */
export async function writeExport(
  store: Pick<Store, 'exportPages'>,
  write: (piece: string) => void,
): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  let piece = '{\n  "format": "muster-export",\n  "version": 1,\n  "tables": {'
  let open: string | null = null
  const append = (text: string): void => {
    piece += text
    if (piece.length < PIECE_LENGTH) return
    write(piece)
    piece = ''
  }
  const end = (table: string | null): string => (table === null ? '' : rows[table] === 0 ? ']' : '\n    ]')
  await store.exportPages((table, page) => {
    if (table !== open) {
      append(`${end(open)}${open === null ? '' : ','}\n    ${JSON.stringify(table)}: [`)
      open = table
      rows[table] = 0
    }
    for (const row of page) {
      append(`${rows[table] === 0 ? '' : ','}\n      ${indented(row)}`)
      rows[table] = (rows[table] ?? 0) + 1
    }
  })
  write(`${piece}${end(open)}\n  }\n}\n`)
  return rows
}

/** Newlines in strings are escaped, so every newline here belongs to the layout. */
const indented = (row: ExportedRow): string => JSON.stringify(row, null, 2).replaceAll('\n', '\n      ')
