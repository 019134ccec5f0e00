/** The column that a phone shows. The tab of the browser remembers it, so that a reload shows the same column again. */
import { firstLane } from './lanes.ts'
import type { Lane, LaneName } from './lanes.ts'

const KEY = 'muster-lane'

/** The column that a phone shows at first. */
export function laneAtFirst(lanes: readonly Lane[]): LaneName | undefined {
  const stored = sessionStorage.getItem(KEY)
  return lanes.find(({ name }) => name === stored)?.name ?? firstLane(lanes)
}

export const rememberLane = (name: LaneName): void => sessionStorage.setItem(KEY, name)

export const elementOf = (scroll: HTMLElement | null, lane: string | undefined): Element | null =>
  scroll?.querySelector(`[data-lane="${lane}"]`) ?? null
