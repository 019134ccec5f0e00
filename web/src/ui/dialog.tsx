import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useMessages } from '../i18n/use-messages.tsx'
import { ShortcutLayer } from '../shortcuts/use-shortcut.tsx'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import css from './dialog.module.css'
import { uiMessages } from './messages.ts'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  /** The element beside the title of the dialog. */
  readonly beside?: ReactNode
  readonly children: ReactNode
  /** The buttons of the dialog, the most important one last. */
  readonly footer?: ReactNode
  /** Whether the dialog is narrow, for a short question. */
  readonly isNarrow?: boolean
  /** Moves the focus after the dialog has closed. Without it, the focus returns to the previous element. */
  readonly onClosed?: () => void
}

export const Dialog = ({ isOpen, onClose, ...rest }: Props) => (
  <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
    <Radix.Portal>
      <Radix.Overlay className={css.scrim}>
        <ShortcutLayer>
          <Panel {...rest} />
        </ShortcutLayer>
      </Radix.Overlay>
    </Radix.Portal>
  </Radix.Root>
)

/**
 * Without a field to focus, the dialog itself gets the focus. A focused button would show its tooltip, and the first
 * Escape would close only the tooltip.
 */
function focusDialog(event: Event): void {
  event.preventDefault()
  if (event.target instanceof HTMLElement) event.target.focus()
}

function Panel({ title, beside, children, footer, isNarrow = false, onClosed }: Omit<Props, 'isOpen' | 'onClose'>) {
  const t = useMessages(uiMessages)
  return (
    <Radix.Content
      className={classNames(css.dialog, isNarrow && css.narrow)}
      aria-describedby={undefined}
      onOpenAutoFocus={focusDialog}
      onCloseAutoFocus={(event) => {
        if (onClosed === undefined) return
        event.preventDefault()
        onClosed()
      }}
    >
      <header className={css.head}>
        <Radix.Title className={css.title}>{title}</Radix.Title>
        {beside !== undefined && <div className={css.beside}>{beside}</div>}
        <Radix.Close asChild>
          <IconButton icon={<X />} label={t('close')} />
        </Radix.Close>
      </header>
      <div className={css.body}>{children}</div>
      {footer !== undefined && <footer className={css.foot}>{footer}</footer>}
    </Radix.Content>
  )
}

interface ConfirmProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  /** The effect of the action, in one or two sentences. */
  readonly children: ReactNode
  readonly footer: ReactNode
}

/** Asks for confirmation before an action that cannot be undone. */
export const ConfirmDialog = ({ children, ...rest }: ConfirmProps) => (
  <Dialog {...rest} isNarrow>
    <p className={css.text}>{children}</p>
  </Dialog>
)
