/** The output of `views`. */
import type { SavedView } from '../../core/saved-view.ts'
import { oneLine } from '../output/escape.ts'
import type { Cell } from './tsv.ts'
import { fit, widthOf } from './width.ts'

export const viewRow = ({ name, board, query, createdBy }: SavedView): readonly Cell[] => [
  name,
  board,
  query,
  createdBy,
]

export function viewTable(views: readonly SavedView[]): string {
  const names = Math.max(...views.map(({ name }) => widthOf(oneLine(name))))
  const boards = Math.max(...views.map(({ board }) => widthOf(board ?? 'all boards')))
  return views
    .map(({ name, board, query }) => [fit(oneLine(name), names), fit(board ?? 'all boards', boards), query].join('  '))
    .join('\n')
}
