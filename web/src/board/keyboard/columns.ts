/** The visible columns, in the order of the page. Collapsed columns are left out. */
import type { LaneName } from '../lanes.ts'

export interface ShownColumn {
  readonly lane: LaneName
  /** The ids of the loaded cards of the column. */
  readonly cards: readonly string[]
  readonly scrollTo: (index: number) => void
}

const shown = new Map<Element, ShownColumn>()

export function registerColumn(element: Element, column: ShownColumn): () => void {
  shown.set(element, column)
  return () => void shown.delete(element)
}

export const shownColumns = (): readonly ShownColumn[] =>
  [...document.querySelectorAll('[data-lane]')].flatMap((element) => shown.get(element) ?? [])
