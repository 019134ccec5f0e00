/** Shows the title of the card, with an editor in place. The typed title is kept if someone else changes the card. */
import { Pencil } from 'lucide-react'
import { useContext, useEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { useCanWrite } from '../../api/use-live.ts'
import { useCommand } from '../../api/use-command.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { Textarea } from '../../ui/field.tsx'
import type { TabProps } from '../card-details.ts'
import { cardMessages } from '../messages.ts'
import css from './card-header.module.css'
import { ReadOnlyReason } from './use-read-only.ts'

export function CardTitle({ card }: TabProps) {
  const t = useMessages(cardMessages)
  const readOnly = useContext(ReadOnlyReason)
  const canWrite = useCanWrite()
  const [isEditing, setIsEditing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    setIsEditing(false)
    requestAnimationFrame(() => button.current?.focus({ preventScroll: true }))
  }
  if (isEditing && readOnly === null) return <TitleEditor card={card} onClose={close} />
  return (
    <h2 className={css.title}>
      <span>{card.title}</span>
      {readOnly === null && (
        <button
          ref={button}
          type="button"
          className={css.rename}
          aria-label={t('rename')}
          aria-disabled={!canWrite || undefined}
          onClick={() => canWrite && setIsEditing(true)}
        >
          <Pencil />
        </button>
      )}
    </h2>
  )
}

function TitleEditor({ card, onClose }: TabProps & { readonly onClose: () => void }) {
  const t = useMessages(cardMessages)
  const language = useLanguage()
  const [base] = useState(card.title)
  const [typed, setTyped] = useState(card.title)
  const input = useRef<HTMLTextAreaElement>(null)
  const rename = useCommand({
    run: (title: string) => client.update({ task: card.id, title }),
    cards: () => [card.id],
    refresh: () => [keys.card(card.id)],
    onDone: onClose,
  })
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  const save = (): void => {
    const title = typed.trim()
    if (title === card.title) onClose()
    else if (title !== '' && !rename.isPending) rename.mutate(title)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') save()
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
  }
  return (
    // The shortcuts of the input and of its buttons.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={css.titleEditor} onKeyDown={onKeyDown}>
      <Textarea
        ref={input}
        rows={1}
        className={css.titleInput}
        aria-label={t('titleLabel')}
        value={typed}
        // A title is one line.
        onChange={(event) => setTyped(event.target.value.replaceAll('\n', ' '))}
      />
      {card.title !== base && <p className={css.facts}>{t('titleChanged', { title: card.title })}</p>}
      {rename.error !== null && (
        <p className={css.fault} role="alert">
          {describeError(rename.error, language)}
        </p>
      )}
      <div className={css.row}>
        <Button size="small" look="primary" writes isBusy={rename.isPending} onClick={save}>
          {t('save')}
        </Button>
        <Button size="small" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </div>
  )
}
