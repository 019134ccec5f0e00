/** Parses cron expressions with five fields: minute, hour, day of the month, month, day of the week. */
import { HOURS, MINUTES, MONTHS, MONTH_DAYS, WEEK_DAYS, numbers } from './calendar-fields.ts'
import type { FieldRange } from './calendar-fields.ts'
import type { Calendar, ScheduleFault } from './calendar.ts'

const MACROS: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
}

const FIELDS = [MINUTES, HOURS, MONTH_DAYS, MONTHS, WEEK_DAYS] as const

/** The days of each month in a leap year. Dates that never exist, such as 30 February, are refused. */
const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function parseCron(typed: string): Calendar | ScheduleFault {
  const text = typed.startsWith('@') ? MACROS[typed] : typed
  if (text === undefined) return { fault: `does not know ${typed}: use ${Object.keys(MACROS).join(', ')}` }
  const parts = text.split(' ')
  if (parts.length !== FIELDS.length)
    return {
      fault: `has ${parts.length} fields: a cron expression has five (minute, hour, day of the month, month, day of the week)`,
    }
  const sets: ReadonlySet<number>[] = []
  for (const [at, field] of FIELDS.entries()) {
    const found = parseField(parts[at] ?? '', field)
    if ('fault' in found) return found
    sets.push(found)
  }
  const [minutes, hours, monthDays, months, weekDays] = sets as [Days, Days, Days, Days, Days]
  const [, , dateText = '', , weekText = ''] = parts
  // If the expression restricts both the date and the day of the week, cron runs on days that match either one.
  const eitherDay = !dateText.startsWith('*') && !weekText.startsWith('*')
  const times = [...hours].flatMap((hour) => [...minutes].map((minute) => hour * 60 + minute)).sort((a, b) => a - b)
  const calendar: Calendar = { kind: 'calendar', times, months, monthDays, weekDays, eitherDay }
  return happens(calendar) ? calendar : { fault: 'never happens: no year has this date' }
}

type Days = ReadonlySet<number>

const happens = ({ months, monthDays, eitherDay }: Calendar): boolean =>
  eitherDay || [...months].some((month) => [...monthDays].some((day) => day <= (LONGEST_MONTHS[month - 1] ?? 0)))

/** Returns the values of a field. Sunday as 7 becomes 0. */
function parseField(text: string, field: FieldRange): Days | ScheduleFault {
  const found = new Set<number>()
  for (const item of text.split(',')) {
    const values = parseItem(item, field)
    if ('fault' in values) return values
    for (const value of values) found.add(field === WEEK_DAYS ? value % 7 : value)
  }
  return new Set([...found].sort((a, b) => a - b))
}

const ITEM = /^(?:\*|([a-z]+|\d{1,4})(?:-([a-z]+|\d{1,4}))?)(?:\/(\d{1,4}))?$/

function parseItem(item: string, field: FieldRange): readonly number[] | ScheduleFault {
  const parts = ITEM.exec(item)
  if (parts === null) return notA(item, field)
  const [, first, last, step] = parts
  if (step !== undefined && Number(step) === 0) return { fault: `${item} has a step of 0` }
  if (first === undefined) return numbers(field.from, field === WEEK_DAYS ? 6 : field.to, Number(step ?? 1))
  const from = valueOf(first, field)
  const to = last === undefined ? from : valueOf(last, field)
  if (from === null || to === null) return notA(item, field)
  if (step !== undefined && last === undefined)
    return { fault: `${item} has a step without a range: write ${first}-${field.to}/${step}` }
  if (to < from) return { fault: `${item} is not in ascending order` }
  return numbers(from, to, Number(step ?? 1))
}

function valueOf(text: string, { from, to, names = [] }: FieldRange): number | null {
  const named = names.indexOf(text)
  const value = named === -1 ? Number(text) : named + from
  return Number.isInteger(value) && value >= from && value <= to ? value : null
}

const notA = (item: string, { label, from, to, names }: FieldRange): ScheduleFault => ({
  fault: `${item === '' ? 'an empty text' : item} is not a ${label}: use ${from}-${to}${names === undefined ? '' : ` or ${names[0]}-${names.at(-1)}`}, *, lists and ranges`,
})
