/** The gate of active hours: a card starts only while its board and its agent are active. Running cards continue. */
import { obstacle } from '../reasons/reason.ts'
import type { Obstacle } from '../reasons/reason.ts'
import { isOpen, nextOpening, parseActiveHours } from './active-hours.ts'
import type { LocalZone } from './active-hours.ts'

/** The active hours of the agent, and the zone of the machine that would start the card. */
export interface LocalHours {
  readonly zone: LocalZone
  readonly agent: { readonly name: string; readonly hours: string | null } | null
}

/** The setting is optional, because boards of earlier versions do not have it. */
interface BoardHours {
  readonly slug: string
  readonly settings: { readonly activeHours?: string | null }
}

/**
 * The obstacles from hours that are closed now: those of the board, of the agent, or of both. A card starts when both
 * are open.
 */
export function hoursObstacles({ slug, settings }: BoardHours, { zone, agent }: LocalHours, now: number): Obstacle[] {
  const given = [
    { of: 'board' as const, name: slug, hours: settings.activeHours ?? null },
    { of: 'agent' as const, name: agent?.name ?? '', hours: agent?.hours ?? null },
  ].flatMap(({ hours, ...owner }) => {
    const windows = hours === null ? null : parseActiveHours(hours)
    return hours === null || windows === null || 'fault' in windows ? [] : [{ ...owner, hours, windows }]
  })
  const closed = given.filter(({ windows }) => !isOpen(windows, now, zone))
  if (closed.length === 0) return []
  const at = nextOpening(
    given.map(({ windows }) => windows),
    now,
    zone,
  )
  return closed.map(({ of, name, hours }) => obstacle('outside_hours', { of, name, hours, at }, at))
}
