/**
 * How the board shows its cards. The URL stores these choices. If it contains none, the last choices in this browser
 * apply.
 */
import { SORT_CHOICES } from './board-sorts.ts'
import type { BoardSort } from './board-sorts.ts'

export const GROUPINGS = ['none', 'assignee', 'tenant', 'workflow', 'labels'] as const
export type Grouping = (typeof GROUPINGS)[number]

export interface Display {
  readonly group: Grouping
  readonly sort: BoardSort
  readonly isCompact: boolean
  /** Whether columns without cards are open. */
  readonly showsEmpty: boolean
}

export const DEFAULT_DISPLAY: Display = { group: 'none', sort: 'start', isCompact: false, showsEmpty: false }

export const DISPLAY_FIELDS = ['group', 'sort', 'compact', 'empty'] as const

/** Reads the display from the URL. Missing or unknown fields take their values from `otherwise`. */
export function readDisplay(address: URLSearchParams, otherwise: Display): Display {
  const toggle = (field: 'compact' | 'empty', before: boolean): boolean => {
    const value = address.get(field)
    return value === '1' || (value !== '0' && before)
  }
  return {
    group: GROUPINGS.find((group) => group === address.get('group')) ?? otherwise.group,
    sort: SORT_CHOICES.find((sort) => sort === address.get('sort')) ?? otherwise.sort,
    isCompact: toggle('compact', otherwise.isCompact),
    showsEmpty: toggle('empty', otherwise.showsEmpty),
  }
}

/** Writes every field of the display into the URL, so that the board looks the same in every browser. */
export function writeDisplay(address: URLSearchParams, display: Display): URLSearchParams {
  const next = new URLSearchParams(address)
  next.set('group', display.group)
  next.set('sort', display.sort)
  next.set('compact', display.isCompact ? '1' : '0')
  next.set('empty', display.showsEmpty ? '1' : '0')
  return next
}
