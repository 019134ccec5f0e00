/**
 * Formats numbers, times and amounts in a language. All functions are pure: the caller passes the language and the
 * time.
 */
import type { Language } from './language.ts'
import { formatNumber, oncePerLanguage } from './messages.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type Unit = 'second' | 'minute' | 'hour' | 'day'

/** Returns a duration in its largest unit, at least in seconds. */
export function largestUnit(ms: number): { readonly unit: Unit; readonly value: number } {
  const size = Math.abs(ms)
  if (size >= DAY) return { unit: 'day', value: Math.floor(size / DAY) }
  if (size >= HOUR) return { unit: 'hour', value: Math.floor(size / HOUR) }
  if (size >= MINUTE) return { unit: 'minute', value: Math.floor(size / MINUTE) }
  return { unit: 'second', value: Math.floor(size / SECOND) }
}

const NOW: Readonly<Record<Language, string>> = { en: 'now', ko: '방금', zh: '刚刚' }

/** English unit names that are shorter than those of Intl: `12 min`, `1 h`, `3 d`. */
const ENGLISH: Readonly<Record<Unit, string>> = { second: 's', minute: 'min', hour: 'h', day: 'd' }

const unitFormats: Readonly<Record<Unit, (language: Language) => Intl.NumberFormat>> = {
  second: unitFormat('second'),
  minute: unitFormat('minute'),
  hour: unitFormat('hour'),
  day: unitFormat('day'),
}

function unitFormat(unit: Unit): (language: Language) => Intl.NumberFormat {
  return oncePerLanguage((language) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }))
}

/** Formats a duration in its largest unit: `12 min`, `1 h`, `3 d`. */
export function formatSpan(language: Language, ms: number): string {
  const { unit, value } = largestUnit(ms)
  if (language === 'en') return `${formatNumber(language, value)} ${ENGLISH[unit]}`
  return unitFormats[unit](language).format(value)
}

/** Formats an age in the short form for cards: `now`, then `12 min`. */
export function formatAge(language: Language, at: number, now: number): string {
  return now - at < MINUTE ? NOW[language] : formatSpan(language, now - at)
}

const relativeFormat = oncePerLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))

/** Formats a moment relative to now: `12 minutes ago`, `in 3 hours`. */
export function formatRelative(language: Language, at: number, now: number): string {
  if (Math.abs(at - now) < MINUTE) return NOW[language]
  const { unit, value } = largestUnit(at - now)
  return relativeFormat(language).format(at < now ? -value : value, unit)
}

const exactFormat = oncePerLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'medium' }),
)

/** Formats the exact time, for tooltips. */
export const formatExact = (language: Language, at: number): string => exactFormat(language).format(at)

const timeFormat = oncePerLanguage(
  (language) => new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
)

/** Formats a time of the day: `14:02`. */
export const formatTime = (language: Language, at: number): string => timeFormat(language).format(at)

const momentFormat = oncePerLanguage(
  (language) =>
    new Intl.DateTimeFormat(language, {
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
)

/** Formats a moment in a sentence: `14:02` for today, otherwise with the day: `18 Nov, 14:02`. */
export function formatMoment(language: Language, at: number, now: number): string {
  if (new Date(at).toDateString() === new Date(now).toDateString()) return formatTime(language, at)
  return momentFormat(language).format(at)
}

/** Formats a running clock: `06:52`, `1:06:52`. From one day on, it shows only the two largest units. */
export function formatClock(language: Language, ms: number): string {
  const size = Math.max(0, ms)
  if (size >= DAY) {
    const hours = Math.floor((size % DAY) / HOUR)
    return hours === 0
      ? formatSpan(language, size)
      : `${formatSpan(language, size)} ${formatSpan(language, hours * HOUR)}`
  }
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  const short = `${two((size % HOUR) / MINUTE)}:${two((size % MINUTE) / SECOND)}`
  return size < HOUR ? short : `${Math.floor(size / HOUR)}:${short}`
}

/** Formats a cost in US dollars, the currency of the providers. All three languages write it like `$1,234.50`. */
export function formatMoney(language: Language, usd: number): string {
  const cents = Math.round(Math.abs(usd) * 100)
  const whole = formatNumber(language, Math.floor(cents / 100))
  return `${usd < 0 && cents > 0 ? '-' : ''}$${whole}.${String(cents % 100).padStart(2, '0')}`
}

/** Formats a share between 0 and 1 as a whole percentage: `92%`. */
export const formatPercent = (language: Language, share: number): string =>
  new Intl.NumberFormat(language, { style: 'percent' }).format(share)

/** Formats a large number in short form: `41k`. */
export const formatCompact = (language: Language, value: number): string =>
  new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(value)

export const formatBytes = (language: Language, bytes: number): string => {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[at] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: at === 0 ? 0 : 1,
  }).format(bytes / 1_000 ** at)
}

export const formatList = (language: Language, items: readonly string[]): string =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(items)
