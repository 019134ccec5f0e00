import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { client } from '../../api/client.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { Textarea } from '../../ui/field.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { useFirstFocus } from '../../ui/use-first-focus.ts'
import { actionMessages } from '../action-messages.ts'
import type { CardItem } from '../card-item.ts'
import { useDraft } from '../drafts.ts'
import css from '../item.module.css'
import { Refusal } from '../refusal.tsx'
import { useItemCommand } from '../use-item-command.ts'

interface Props {
  readonly item: CardItem
  readonly onClose: () => void
}

/** The form that sends a card in review back to its worker, with a reason. */
export function RequestChanges({ item, onClose }: Props) {
  const t = useMessages(actionMessages)
  const [text, setText] = useDraft(item.id, 'changes')
  const [isMissing, setIsMissing] = useState(false)
  const focus = useFirstFocus()
  const send = useItemCommand(item, {
    run: (reason: string) => client.requestChanges({ task: item.id, reason }),
    done: () => ({ text: t('sentBack', { card: item.task.title }) }),
    onDone: () => setText(''),
  })
  const submit = (): void => {
    if (text.trim() === '') setIsMissing(true)
    else if (!send.isPending) send.mutate(text.trim())
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit()
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
  }
  return (
    <>
      <Textarea
        ref={focus}
        rows={3}
        aria-label={t('changesLabel')}
        aria-invalid={isMissing || undefined}
        placeholder={t('changesLabel')}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setIsMissing(false)
        }}
        onKeyDown={onKeyDown}
      />
      {isMissing && (
        <p className={css.refusal} role="alert">
          {t('emptyText')}
        </p>
      )}
      <div className={css.actions}>
        <span className={css.push}>
          <Button size="small" look="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button size="small" look="primary" writes isBusy={send.isPending} onClick={submit}>
            {t('sendChanges')}
            <span className={css.hint}>
              <Kbd keys="mod+enter" />
            </span>
          </Button>
        </span>
      </div>
      <Refusal error={send.error} />
    </>
  )
}
