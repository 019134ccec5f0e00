/** Joins the rows of all files into one list, so that only the visible part needs to be mounted. */
import { diffRows } from './diff-rows.ts'
import type { DiffRow, DiffView } from './diff-rows.ts'
import { parsePatch } from './parse-patch.ts'
import type { ChangedFile, Diff } from './queries.ts'

/** The kinds of notes that replace the lines of a file. */
export type FileNote = 'binary' | 'submodule' | 'tooLarge' | 'empty' | 'sameContent'

export type FlatItem =
  | { readonly kind: 'file'; readonly file: ChangedFile; readonly isOpen: boolean }
  | { readonly kind: 'row'; readonly file: ChangedFile; readonly row: DiffRow; readonly data: Diff }
  | { readonly kind: 'note'; readonly file: ChangedFile; readonly note: FileNote }
  | { readonly kind: 'loading'; readonly file: ChangedFile; readonly lines: number }
  | { readonly kind: 'failed'; readonly file: ChangedFile }

/** The lines of a file that have been loaded so far. */
export interface FileLines {
  readonly data: Diff | undefined
  readonly isWhole: boolean
  readonly hasFailed: boolean
  readonly openGaps: ReadonlySet<number>
}

interface Shape {
  readonly view: DiffView
  readonly isOpen: (file: ChangedFile) => boolean
  readonly linesOf: (path: string) => FileLines
}

const LOADING_MAX = 60

export const flatItems = (files: readonly ChangedFile[], shape: Shape): readonly FlatItem[] =>
  files.flatMap((file) => {
    const isOpen = shape.isOpen(file)
    return [{ kind: 'file', file, isOpen }, ...(isOpen ? itemsOf(file, shape) : [])] satisfies readonly FlatItem[]
  })

/** Returns the note for a file whose lines are not needed. Null means that its lines must be loaded. */
export function noteOf({ kind, added, removed, change }: ChangedFile): FileNote | null {
  if (kind === 'submodule') return 'submodule'
  if (added === null || removed === null) return 'binary'
  if (added + removed > 0) return null
  return change === 'added' || change === 'deleted' ? 'empty' : 'sameContent'
}

function itemsOf(file: ChangedFile, { view, linesOf }: Shape): readonly FlatItem[] {
  const note = noteOf(file)
  if (note !== null) return [{ kind: 'note', file, note }]
  const { data, isWhole, hasFailed, openGaps } = linesOf(file.path)
  if (hasFailed) return [{ kind: 'failed', file }]
  if (data === undefined) {
    const lines = Math.min(LOADING_MAX, (file.added ?? 0) + (file.removed ?? 0) + 6)
    return [{ kind: 'loading', file, lines }]
  }
  if (data.isTooLarge || data.patch === null) return [{ kind: 'note', file, note: 'tooLarge' }]
  return rowsOf(data, { view, isWhole, open: openGaps }).map((row) => ({ kind: 'row', file, row, data }))
}

const known = new WeakMap<Diff, Map<string, readonly DiffRow[]>>()

/** Builds the rows of a loaded file. They are cached for each layout. */
function rowsOf(data: Diff, shape: Parameters<typeof diffRows>[1]): readonly DiffRow[] {
  const ofData = known.get(data) ?? new Map<string, readonly DiffRow[]>()
  known.set(data, ofData)
  const key = `${shape.view} ${shape.isWhole} ${[...shape.open].join(',')}`
  const rows = ofData.get(key) ?? diffRows(parsePatch(data.patch ?? ''), shape)
  ofData.set(key, rows)
  return rows
}
