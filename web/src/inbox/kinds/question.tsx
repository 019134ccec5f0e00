import { useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { client } from '../../api/client.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { Textarea } from '../../ui/field.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { actionMessages } from '../action-messages.ts'
import { remedyOf } from '../card-item.ts'
import type { CardItem } from '../card-item.ts'
import { useDraft } from '../drafts.ts'
import { useInbox } from '../inbox-context.ts'
import { ItemHeading } from '../item-heading.tsx'
import css from '../item.module.css'
import { LongText } from '../long-text.tsx'
import { splitQuestion } from '../question-text.ts'
import { Refusal } from '../refusal.tsx'
import { useItemCommand } from '../use-item-command.ts'
import { useItemKeys } from '../use-item-keys.ts'

export function QuestionItem({ item }: { readonly item: CardItem }) {
  const t = useMessages(actionMessages)
  const { title, text } = splitQuestion(item.question ?? item.task.title)
  const field = useRef<HTMLTextAreaElement>(null)
  useItemKeys(item.id, { act: () => field.current?.focus() })
  return (
    <>
      <ItemHeading item={item}>{title}</ItemHeading>
      {text !== '' && <LongText text={text} />}
      <Answer item={item} label={t('answerLabel')} field={field} />
    </>
  )
}

interface AnswerProps {
  readonly item: CardItem
  readonly label: string
  readonly field: React.RefObject<HTMLTextAreaElement | null>
}

function Answer({ item, label, field }: AnswerProps) {
  const t = useMessages(actionMessages)
  const { currentId, focusItem } = useInbox()
  const [text, setText] = useDraft(item.id, 'answer')
  const [isMissing, setIsMissing] = useState(false)
  const isAnswer = remedyOf(item, 'answer') !== undefined
  const send = useItemCommand(item, {
    run: (answer: string) =>
      isAnswer ? client.answer({ task: item.id, text: answer }) : client.unblock({ task: item.id, reason: answer }),
    done: () => ({ text: t('answered', { card: item.task.title }) }),
    onDone: () => setText(''),
  })
  const submit = (): void => {
    if (send.isPending) return
    if (text.trim() !== '') return send.mutate(text.trim())
    setIsMissing(true)
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit()
    else if (event.key === 'Escape') focusItem(item.id)
    else return
    event.preventDefault()
  }
  return (
    <>
      <div className={css.reply}>
        <Textarea
          ref={field}
          rows={1}
          className={css.replyText}
          aria-label={label}
          aria-invalid={isMissing || undefined}
          placeholder={label}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setIsMissing(false)
          }}
          onKeyDown={onKeyDown}
        />
        <Button
          look={currentId === item.id ? 'primary' : 'normal'}
          writes
          isBusy={send.isPending}
          onClick={submit}
          className={css.send}
        >
          {t('sendAnswer')}
          <span className={css.hint}>
            <Kbd keys="mod+enter" />
          </span>
        </Button>
      </div>
      {isMissing && (
        <p className={css.refusal} role="alert">
          {t('emptyText')}
        </p>
      )}
      <Refusal error={send.error} />
    </>
  )
}
