/** The field that answers the question of an agent. The text is stored until it is sent. */
import { useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { keyNames } from '../../shortcuts/key-names.ts'
import { Button } from '../../ui/button.tsx'
import { Textarea } from '../../ui/field.tsx'
import { actionMessages } from '../actions/messages.ts'
import { useCardActions } from '../actions/use-card-actions.tsx'
import type { TabProps } from '../card-details.ts'
import { useDraft } from '../drafts/use-draft.ts'
import { overviewMessages } from './messages.ts'
import css from './overview.module.css'

/** The id of the field. The footer moves the focus to this field. */
export const ANSWER_BOX = 'card-answer'

export function AnswerBox({ card }: TabProps) {
  const t = useMessages(overviewMessages)
  const tAction = useMessages(actionMessages)
  const { send, start, busy } = useCardActions()
  const { text, setText, clear } = useDraft(`${card.id}:answer`)
  const box = useRef<HTMLTextAreaElement>(null)
  const answer = (): void => {
    if (text.trim() === '') box.current?.focus()
    else if (busy === null) void send('answer', { text }).then((isSent) => isSent && clear())
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    answer()
  }
  return (
    <div className={css.answer}>
      <Textarea
        ref={box}
        id={ANSWER_BOX}
        rows={3}
        aria-label={tAction('answerText')}
        placeholder={t('answerPlaceholder')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={css.remedies}>
        <Button
          look="primary"
          size="small"
          writes
          isBusy={busy === 'answer'}
          tip={tAction('send', { keys: keyNames('mod+enter').join(' ') })}
          onClick={answer}
        >
          {tAction('do_answer')}
        </Button>
        <Button size="small" writes onClick={() => start('unblock')}>
          {t('withoutAnswer')}
        </Button>
      </div>
    </div>
  )
}
