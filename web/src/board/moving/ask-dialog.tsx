/** A small dialog with at most one field. Ctrl+Enter submits it. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { useShortcuts } from '../../shortcuts/use-shortcut.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import css from './ask-dialog.module.css'
import { movingMessages } from './messages.ts'

interface Props {
  readonly title: string
  readonly submit: string
  readonly isDanger?: boolean
  readonly notes: readonly string[]
  /** The titles of the cards. Empty if the title of the dialog already names the only card. */
  readonly titles: readonly string[]
  /** Submits the dialog. Returns false if a required text is missing. */
  readonly onSubmit: () => boolean
  readonly onClose: () => void
  readonly children?: (error: string | null) => ReactNode
}

export function AskDialog(props: Props) {
  const { title, onClose } = props
  const [isMissing, setIsMissing] = useState(false)
  const t = useMessages(movingMessages)
  const submit = (): void => {
    const isSent = props.onSubmit()
    setIsMissing(!isSent)
    if (isSent) onClose()
  }
  const { notes, titles, children, submit: label, isDanger = false } = props
  return (
    <Dialog
      isOpen
      isNarrow
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button look="primary" isDanger={isDanger} writes onClick={submit}>
            {label} <Kbd keys="mod+enter" />
          </Button>
        </>
      }
    >
      <div className={css.body}>
        <SubmitKey onSubmit={submit} name={label} />
        {(titles.length > 1 || !title.includes(titles[0] ?? '')) && (
          <ul className={css.titles}>
            {titles.slice(0, 5).map((one) => (
              <li key={one}>{one}</li>
            ))}
            {titles.length > 5 && <li>…</li>}
          </ul>
        )}
        {notes.map((note) => (
          <p key={note} className={css.note}>
            {note}
          </p>
        ))}
        {children?.(isMissing ? t('required') : null)}
      </div>
    </Dialog>
  )
}

/** Registers the shortcut. This component must be inside the dialog, because only shortcuts of the top layer work. */
function SubmitKey({ onSubmit, name }: { readonly onSubmit: () => void; readonly name: string }) {
  useShortcuts([{ keys: 'mod+enter', name, group: name, onPress: onSubmit, inFields: true }])
  return null
}
