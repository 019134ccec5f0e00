import type { ReactNode } from 'react'
import { formatNumber } from '../i18n/messages.ts'
import { useLanguage } from '../i18n/use-messages.tsx'
import { classNames } from './class-names.ts'
import css from './pill.module.css'
import type { Hue } from './status-hue.ts'

interface Props {
  readonly hue: Hue
  readonly icon?: ReactNode
  readonly children: ReactNode
}

export const Pill = ({ hue, icon, children }: Props) => (
  <span className={classNames(css.pill, css[hue])}>
    {icon}
    {children}
  </span>
)

/** A label or a tenant. */
export const Tag = ({ children }: { readonly children: string }) => (
  <span className={css.tag} title={children}>
    {children}
  </span>
)

interface CountProps {
  readonly value: number
  /** Whether there are more items than `value`. */
  readonly isCut?: boolean
  /** Whether the count needs attention. */
  readonly isHot?: boolean
}

export function Count({ value, isCut = false, isHot = false }: CountProps) {
  const text = formatNumber(useLanguage(), value)
  return <span className={classNames(css.count, isHot && css.hot)}>{isCut ? `${text}+` : text}</span>
}
