/** Computes which card of the board is selected, after a key and after a change of the board. */
import { columnsWithCards } from '../render/board-columns.ts'
import type { ColumnCard, TerminalColumn } from '../render/board-columns.ts'
import type { Selection, WatchState } from './state.ts'

export const columnsIn = ({ view }: Pick<WatchState, 'view'>): readonly TerminalColumn[] =>
  view === null ? [] : columnsWithCards(view, Infinity)

export function selectedCard(state: WatchState): ColumnCard | null {
  const { selected } = state
  if (selected === null || selected.card === null) return null
  return columnsIn(state).flatMap(({ cards }) => cards.find(({ id }) => id === selected.card) ?? [])[0] ?? null
}

const clamp = (value: number, most: number): number => Math.min(Math.max(0, value), Math.max(0, most))

function select({ title, cards }: TerminalColumn, index: number): Selection {
  const at = clamp(index, cards.length - 1)
  return { column: title, index: at, card: cards[at]?.id ?? null }
}

/** The index of the selected column among the columns that have cards. It is 0 if no card is selected. */
export function selectedColumn(state: WatchState, columns = columnsIn(state)): number {
  return Math.max(
    0,
    columns.findIndex(({ title }) => title === state.selected?.column),
  )
}

export interface Move {
  readonly columns?: number
  readonly cards?: number
}

export function moveSelection(state: WatchState, { columns: across = 0, cards: down = 0 }: Move): WatchState {
  const columns = columnsIn(state)
  const at = clamp(selectedColumn(state, columns) + across, columns.length - 1)
  const column = columns[at]
  if (column === undefined) return state
  const isSame = column.title === state.selected?.column
  const index = (isSame ? 0 : (state.tops[column.title] ?? 0)) + (isSame ? state.selected.index : visibleIndex(state))
  return { ...state, selected: select(column, index + down) }
}

/**
 * The number of visible cards above the selected card. When the selection moves to another column, this number stays
 * about the same.
 */
const visibleIndex = ({ selected, tops }: WatchState): number =>
  selected === null ? 0 : Math.max(0, selected.index - (tops[selected.column] ?? 0))

/**
 * Updates the selection after the board has changed. If the selected card moved to another column, the selection
 * follows it. If the card is gone, the selection moves to the card in its former place.
 */
export function settleSelection(state: WatchState, before: readonly TerminalColumn[]): WatchState {
  const columns = columnsIn(state)
  const { selected } = state
  if (columns.length === 0) return { ...state, selected: null }
  const found = columns.flatMap((column): readonly Selection[] => {
    const index = selected?.card == null ? -1 : column.cards.findIndex(({ id }) => id === selected.card)
    return index === -1 ? [] : [select(column, index)]
  })[0]
  return { ...state, selected: found ?? nearby(columns, selected, before) }
}

function nearby(
  columns: readonly TerminalColumn[],
  selected: Selection | null,
  before: readonly TerminalColumn[],
): Selection | null {
  const same = columns.find(({ title }) => title === selected?.column)
  if (same !== undefined) return select(same, selected?.index ?? 0)
  const at = before.findIndex(({ title }) => title === selected?.column)
  const column = columns[clamp(at, columns.length - 1)]
  return column === undefined ? null : select(column, 0)
}
