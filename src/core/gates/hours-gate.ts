/**
 * Checks the active hours of the board and of the agent. A card starts only while both are active. Running cards
 * continue.
 */
import { obstacle } from '../reasons/reason.ts'
import type { Obstacle } from '../reasons/reason.ts'
import { isOpen, nextOpening, parseActiveHours } from './active-hours.ts'
import type { LocalZone } from './active-hours.ts'

/** The active hours of the agent, and the time zone of the machine that would start the card. */
export interface LocalHours {
  readonly zone: LocalZone
  readonly agent: { readonly name: string; readonly hours: string | null } | null
}

/** Boards of earlier versions do not have the setting `activeHours`. */
interface BoardHours {
  readonly slug: string
  readonly settings: { readonly activeHours?: string | null }
}

/** The obstacles if the board or the agent is outside its active hours. */
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
