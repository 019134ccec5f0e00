import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { useCanWrite } from '../api/use-live.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { classNames } from './class-names.ts'
import css from './button.module.css'
import { uiMessages } from './messages.ts'
import { Tooltip } from './tooltip.tsx'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'type'> {
  readonly look?: 'normal' | 'primary' | 'ghost'
  readonly isDanger?: boolean
  readonly size?: 'normal' | 'small'
  readonly icon?: ReactNode
  /** Why the button cannot be used now. The button can still have the focus, so that everyone can read the reason. */
  readonly disabledReason?: string | null
  /** Whether the button sends a command. It is then disabled while the connection is lost. */
  readonly writes?: boolean
  readonly isBusy?: boolean
  readonly type?: 'button' | 'submit'
  /** Whether the button is square and has no text. Such a button must have a label. */
  readonly isIcon?: boolean
  readonly tip?: ReactNode
}

export function Button({
  look = 'normal',
  isDanger = false,
  size = 'normal',
  icon,
  disabledReason = null,
  writes = false,
  isBusy = false,
  isIcon = false,
  type = 'button',
  tip,
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const t = useMessages(uiMessages)
  const canWrite = useCanWrite()
  const reason = disabledReason ?? (writes && !canWrite ? t('notWhileOffline') : null)
  const isDisabled = reason !== null || isBusy
  const click = (event: MouseEvent<HTMLButtonElement>): void => {
    if (isDisabled) event.preventDefault()
    else onClick?.(event)
  }
  const button = (
    <button
      {...rest}
      type={type}
      aria-disabled={isDisabled || undefined}
      aria-busy={isBusy || undefined}
      onClick={click}
      className={classNames(
        css.button,
        look === 'primary' && css.primary,
        look === 'ghost' && css.ghost,
        isDanger && css.danger,
        size === 'small' && css.small,
        isIcon && css.icon,
        className,
      )}
    >
      {isBusy ? <LoaderCircle className={css.spin} /> : icon}
      {children}
    </button>
  )
  const shown = reason ?? tip
  return shown === undefined ? button : <Tooltip text={shown}>{button}</Tooltip>
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'isIcon' | 'icon' | 'aria-label'> {
  readonly label: string
  readonly icon: ReactNode
}

/** A button that has only an icon. Its label is also its tooltip. */
export const IconButton = ({ label, tip, look = 'ghost', ...rest }: IconButtonProps) => (
  <Button {...rest} look={look} isIcon aria-label={label} tip={tip ?? label} />
)
