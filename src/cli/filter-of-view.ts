/** Reads the filters of a saved view, for commands that list cards. */
import { filterOf, readCardQuery } from '../core/card-query.ts'
import type { CardFilter } from '../core/card-query.ts'
import { BoardError } from '../core/errors.ts'
import { listViews } from '../operations/views/list-views.ts'
import type { Invocation } from './invocation.ts'

export async function filterOfView(cli: Invocation, name: string): Promise<CardFilter> {
  const view = (await cli.ask(listViews, {})).find((one) => one.name === name)
  if (view === undefined)
    throw new BoardError('view_not_found', `There is no saved view ${name}. To list views: muster views`, {
      details: { view: name },
    })
  const { board, query } = view
  if (board !== null && board !== cli.options.board)
    throw new BoardError('invalid_input', `View ${name} shows board ${board}. Add --board ${board}.`, {
      details: { view: name, board },
    })
  return filterOf(readCardQuery(new URLSearchParams(query)), cli.world.now())
}
