import { Check, TriangleAlert, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useValue } from '../app-state/use-value.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { Button, IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { uiMessages } from './messages.ts'
import css from './toast.module.css'
import { dismissToast, toasts } from './toasts.ts'
import type { Toast as ToastData } from './toasts.ts'

const SHOWN_MS = 8_000

function ToastView({ id, kind, text, note, action }: ToastData) {
  const t = useMessages(uiMessages)
  const [isHeld, setIsHeld] = useState(false)
  useEffect(() => {
    // A message stays while a person points at it or focuses it. An error stays until it is dismissed.
    if (isHeld || kind === 'failed') return undefined
    const timer = setTimeout(() => dismissToast(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id, kind, isHeld])
  return (
    <div
      className={classNames(css.toast, kind === 'done' ? css.done : css.failed)}
      role={kind === 'failed' ? 'alert' : 'status'}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      {kind === 'done' ? <Check /> : <TriangleAlert />}
      <span>{text}</span>
      {action === undefined ? (
        <span />
      ) : (
        <Button
          size="small"
          onClick={() => {
            dismissToast(id)
            action.onChoose()
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon={<X />} size="small" label={t('dismiss')} onClick={() => dismissToast(id)} />
      {note !== undefined && <small className={css.note}>{note}</small>}
    </div>
  )
}

export function ToastRegion() {
  const t = useMessages(uiMessages)
  return (
    <section className={css.region} aria-label={t('notifications')}>
      {useValue(toasts).map((toast) => (
        <ToastView key={toast.id} {...toast} />
      ))}
    </section>
  )
}
