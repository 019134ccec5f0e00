/** The states of a page without data: loading, empty, or failed. */
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { describeError } from '../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { uiMessages } from './messages.ts'
import css from './states.module.css'

interface SkeletonProps {
  /** The width, in percent of the available space or as a CSS length. */
  readonly width: number | string
  readonly isSmall?: boolean
}

/** A bar in place of text that is loading. It is not animated. */
export const Skeleton = ({ width, isSmall = false }: SkeletonProps) => (
  <span
    className={classNames(css.bone, isSmall && css.small)}
    style={{ width: typeof width === 'number' ? `${width}%` : width }}
    aria-hidden="true"
  />
)

interface EmptyProps {
  readonly icon?: ReactNode
  readonly title: ReactNode
  readonly children?: ReactNode
  /** A button for the next step. */
  readonly action?: ReactNode
}

export const EmptyState = ({ icon, title, children, action }: EmptyProps) => (
  <div className={css.blank}>
    {icon}
    <h2 className={css.title}>{title}</h2>
    {children !== undefined && <p className={css.text}>{children}</p>}
    {action !== undefined && <div className={css.actions}>{action}</div>}
  </div>
)

interface ErrorProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

export function ErrorState({ error, onRetry }: ErrorProps) {
  const t = useMessages(uiMessages)
  const language = useLanguage()
  return (
    <div className={css.blank} role="alert">
      <TriangleAlert />
      <h2 className={css.title}>{t('failed')}</h2>
      <p className={css.text}>{describeError(error, language)}</p>
      {onRetry !== undefined && (
        <div className={css.actions}>
          <Button onClick={onRetry}>{t('retry')}</Button>
        </div>
      )}
    </div>
  )
}
