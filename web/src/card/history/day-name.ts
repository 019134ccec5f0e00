import type { Language } from '../../i18n/language.ts'

const DAY = 86_400_000

/** The name of a day: `today`, `yesterday`, or the date. The year is added only if it is not the current year. */
export function dayName(language: Language, at: number, now: number): string {
  const today = new Date(now).setHours(0, 0, 0, 0)
  // A day has 23 to 25 hours when the clocks change, so the result is rounded.
  const days = Math.round((at - today) / DAY)
  if (days === 0 || days === -1)
    return capital(new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day'))
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
  }).format(at)
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
