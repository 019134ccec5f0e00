/** The output of `recur`. */
import { DEFAULT_BOARD } from '../../config/load.ts'
import type { SeriesDetails, SeriesView } from '../../operations/series/views.ts'
import { oneLine } from '../output/escape.ts'
import type { Cell } from './tsv.ts'
import { fit, widthOf } from './width.ts'

/** A moment in a time zone, such as `Fri 2026-11-20 09:00 Europe/Berlin`. */
function timeIn(at: number, timeZone: string): string {
  const known = zoneIfKnown(timeZone)
  const [day, date, clock] = [
    new Intl.DateTimeFormat('en-GB', { timeZone: known, weekday: 'short' }).format(at),
    new Intl.DateTimeFormat('sv-SE', { timeZone: known, dateStyle: 'short' }).format(at),
    new Intl.DateTimeFormat('sv-SE', { timeZone: known, timeStyle: 'short' }).format(at),
  ]
  return `${day} ${date} ${clock} ${known}`
}

function zoneIfKnown(timeZone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return timeZone
  } catch {
    return 'UTC'
  }
}

const nextText = ({ pausedAt, nextAt, timeZone }: SeriesView): string =>
  pausedAt !== null ? 'paused' : nextAt === null ? 'unknown' : timeIn(nextAt, timeZone)

export const seriesRow = (series: SeriesView): readonly Cell[] => [
  series.id,
  series.pausedAt !== null ? 'paused' : 'active',
  series.schedule,
  series.timeZone,
  series.nextAt,
  series.assignee,
  series.title,
  series.problems[0]?.message ?? null,
]

export function seriesTable(all: readonly SeriesView[]): string {
  const width = (of: (series: SeriesView) => string): number => Math.max(...all.map((series) => widthOf(of(series))))
  const schedule = (series: SeriesView): string => oneLine(series.schedule)
  const [schedules, times] = [width(schedule), width(nextText)]
  return all
    .map((series) => {
      const line = [series.id, fit(schedule(series), schedules), fit(nextText(series), times), oneLine(series.title)]
      return [line.join('  '), ...series.problems.map(({ message }) => `  ! ${oneLine(message)}`)].join('\n')
    })
    .join('\n')
}

/** One line about a series after a command, such as `Next: Fri 2026-11-20 09:00 Europe/Berlin`. */
export const nextLine = (series: SeriesView): string =>
  series.pausedAt === null ? `Next: ${nextText(series)}` : 'It is paused.'

export function seriesPage(series: SeriesDetails): string {
  const {
    id,
    title,
    board,
    schedule,
    timeZone,
    assignee,
    skipIfRunning,
    created,
    createdBy,
    problems,
    card: fields,
    cards,
    pausedAt,
  } = series
  const facts: readonly (readonly [string, string | null])[] = [
    ['Schedule', `${oneLine(schedule)} (${timeZone})`],
    ['Next', nextText(series)],
    ['Agent', assignee === null ? 'none' : oneLine(assignee)],
    ['Goal', fields['goal'] == null ? null : 'its agent works in turns until a judge accepts the work'],
    ['Board', board === DEFAULT_BOARD ? null : board],
    ['Overlap', skipIfRunning ? 'skips a time while its last card is unfinished' : null],
    ['Cards', `${created} created by this series, added by ${oneLine(createdBy)}`],
  ]
  return [
    `${id}  ${oneLine(title)}`,
    ...facts.flatMap(([name, value]) => (value === null ? [] : [`  ${name.padEnd(9)} ${value}`])),
    ...(pausedAt === null ? [] : [`  It is paused. To continue: muster recur resume ${id}`]),
    ...problems.map(({ message }) => `  ! ${oneLine(message)}`),
    ...cards.map((card) => {
      const time = card.seriesSlot === null ? '' : timeIn(card.seriesSlot, timeZone)
      return `  ${card.id}  ${card.status.padEnd(9)}  ${time}`
    }),
  ].join('\n')
}
