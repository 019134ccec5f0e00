/** Finds a series by its id or by the beginning of its id. */
import { BoardError } from '../../core/errors.ts'
import type { Series } from '../../core/series.ts'
import type { Store } from '../../storage/store.ts'

/** Ids of series are unique in the store, so the current board does not matter. */
export async function resolveSeries(store: Pick<Store, 'series'>, typed: string): Promise<Series> {
  const prefix = typed.trim().toLowerCase()
  const found = /^s_[0-9a-z]{3,10}$/.test(prefix)
    ? (await store.series(null)).filter(({ id }) => id.startsWith(prefix))
    : []
  const [only, second] = found
  if (only === undefined)
    throw new BoardError('series_not_found', `There is no series ${typed}. To list series: muster recur list`, {
      details: { id: typed },
    })
  if (second !== undefined)
    throw new BoardError(
      'ambiguous_id',
      `${prefix} matches ${found.map(({ id }) => id).join(', ')}. Type more characters.`,
      {
        details: { prefix, ids: found.map(({ id }) => id) },
      },
    )
  return only
}
