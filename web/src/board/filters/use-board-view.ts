/** The filters and the display of the board, as the URL stores them. */
import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { EMPTY_QUERY, filterOf, readCardQuery, writeCardQuery } from '../../../../src/core/card-query.ts'
import type { CardFilter, CardQuery } from '../../../../src/core/card-query.ts'
import { useNow } from '../../app-state/use-now.ts'
import { useValue } from '../../app-state/use-value.ts'
import { readDisplay, writeDisplay } from '../../routes/board-display.ts'
import type { Display } from '../../routes/board-display.ts'
import { rememberDisplay, rememberedDisplay } from '../../routes/remembered-display.ts'

export interface BoardView {
  readonly query: CardQuery
  /** The filters as the server expects them. The object changes only if the filters change. */
  readonly filter: CardFilter
  readonly display: Display
  /**
   * Changes filters. `adds: false` leaves the browser history unchanged, for a filter that changes with each key press.
   */
  readonly setQuery: (change: Partial<CardQuery>, how?: { readonly adds?: boolean }) => void
  readonly clear: () => void
  readonly setDisplay: (change: Partial<Display>) => void
}

export function useBoardView(): BoardView {
  const [address, setAddress] = useSearchParams()
  const remembered = useValue(rememberedDisplay)
  const now = useNow()
  const query = readCardQuery(address)
  const display = readDisplay(address, remembered)
  const asked = JSON.stringify(filterOf(query, now))
  const filter = useMemo(() => JSON.parse(asked) as CardFilter, [asked])
  return {
    query,
    filter,
    display,
    setQuery: (change, { adds = true } = {}) =>
      setAddress((before) => writeCardQuery(before, { ...readCardQuery(before), ...change }), { replace: !adds }),
    clear: () => setAddress((before) => writeCardQuery(before, EMPTY_QUERY)),
    setDisplay(change) {
      const next = { ...display, ...change }
      rememberDisplay(next)
      setAddress((before) => writeDisplay(before, next), { replace: true })
    },
  }
}
