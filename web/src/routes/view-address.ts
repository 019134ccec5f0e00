/** Builds the URL of a saved view, and finds the view that a URL shows. */
import { readCardQuery, writeCardQuery } from '../../../src/core/card-query.ts'
import { readDisplay, writeDisplay } from './board-display.ts'
import type { Display } from './board-display.ts'
import { ROUTES, boardPath } from './paths.ts'

interface Shown {
  readonly board: string | null
  readonly query: string
}

export function viewPath({ board, query }: Shown): string {
  const path = board === null ? ROUTES.allBoards : boardPath(board)
  return query === '' ? path : `${path}?${query}`
}

/** Returns the filters and display settings of a URL in a fixed order, without other fields such as an open dialog. */
export const viewQuery = (address: URLSearchParams, display: Display): string =>
  String(writeDisplay(writeCardQuery(new URLSearchParams(), readCardQuery(address)), readDisplay(address, display)))

/** Whether a URL shows a saved view. */
export const showsView = (view: Shown, shown: Shown, display: Display): boolean =>
  view.board === shown.board &&
  viewQuery(new URLSearchParams(view.query), display) === viewQuery(new URLSearchParams(shown.query), display)
