/** The arguments and flags of the commands for series. */
import { createFlags } from './card-flags.ts'
import type { Arg, Flag } from './command.ts'
import * as flag from './flags.ts'

export const seriesArgument: Arg<string> = {
  ...flag.argument('the series, or the beginning of its id'),
  brief: 'the series',
  field: 'series',
}

/** The fields of cards that a series decides itself. */
const OWN_FIELDS = ['at', 'idempotencyKey']

/** The flags for the fields of the cards of a series. */
export const seriesCardFlags: Readonly<Record<string, Flag<unknown>>> = Object.fromEntries(
  Object.entries(createFlags).filter(([name]) => !OWN_FIELDS.includes(name)),
)

export const zoneFlag = flag.withBrief(
  'time zone, e.g. Europe/Berlin',
  flag.filling('timeZone', flag.line('<zone>', 'the time zone of the schedule (default: that of this machine)')),
)

export const parentFlag = flag.withBrief(
  'finishes first',
  flag.filling('parents', flag.each(flag.card('a card that must finish before each card of the series'))),
)
