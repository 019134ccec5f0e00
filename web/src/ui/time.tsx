/** Shows times, durations and amounts. The exact value is in the tooltip. */
import type { PointerEvent } from 'react'
import { useNow } from '../app-state/use-now.ts'
import { formatAge, formatClock, formatExact, formatMoney, formatRelative } from '../i18n/format.ts'
import { useLanguage } from '../i18n/use-messages.tsx'
import type { Language } from '../i18n/language.ts'
import css from './time.module.css'

/**
 * Sets the tooltip when the pointer enters. A board shows about a hundred times, so their tooltips are not created in
 * advance.
 */
const exactly =
  (language: Language, at: number) =>
  ({ currentTarget }: PointerEvent<HTMLElement>): void => {
    currentTarget.title = formatExact(language, at)
  }

interface TimeProps {
  readonly at: number
  /** The form of the time. `age` is short, for cards: `12 min`. `relative` is for sentences: `12 minutes ago`. */
  readonly as?: 'age' | 'relative'
}

export function RelativeTime({ at, as = 'age' }: TimeProps) {
  const language = useLanguage()
  const now = useNow()
  const shown = as === 'age' ? formatAge(language, at, now) : formatRelative(language, at, now)
  return (
    <time className={css.number} dateTime={new Date(at).toISOString()} onPointerEnter={exactly(language, at)}>
      {shown}
    </time>
  )
}

/** A clock that counts from `since`. It stops while the connection is lost. */
export function Clock({ since }: { readonly since: number }) {
  const language = useLanguage()
  return (
    <time className={css.number} onPointerEnter={exactly(language, since)}>
      {formatClock(language, useNow('second') - since)}
    </time>
  )
}

export function Money({ usd }: { readonly usd: number }) {
  return <span className={css.number}>{formatMoney(useLanguage(), usd)}</span>
}
