import { useEffect, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { useCommand } from '../../api/use-command.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { keyNames } from '../../shortcuts/key-names.ts'
import { Button } from '../../ui/button.tsx'
import { Textarea } from '../../ui/field.tsx'
import type { DraftText } from '../drafts/use-draft.ts'
import { AttachButton, Uploading } from '../files/attachments.tsx'
import css from './comments.module.css'
import { commentMessages } from './messages.ts'

interface Props {
  readonly task: string
  readonly draft: DraftText
  readonly hasFocus: boolean
  readonly onSent: () => void
  readonly onFiles: (files: readonly File[]) => void
}

export function WriteBox({ task, draft: { text, setText, clear }, hasFocus, onSent, onFiles }: Props) {
  const t = useMessages(commentMessages)
  const language = useLanguage()
  const box = useRef<HTMLTextAreaElement>(null)
  const comment = useCommand({
    run: (body: string) => client.comment({ task, body }),
    cards: () => [task],
    refresh: () => [keys.card(task)],
    onDone: () => {
      clear()
      onSent()
    },
  })
  useEffect(() => {
    if (hasFocus) box.current?.focus({ preventScroll: true })
  }, [hasFocus])
  const send = (): void => {
    if (text.trim() === '') box.current?.focus()
    else if (!comment.isPending) comment.mutate(text)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send()
    else if (event.key === 'Escape') box.current?.blur()
    else return
    event.preventDefault()
  }
  return (
    <div className={css.write}>
      <Uploading />
      {comment.error !== null && (
        <p className={css.fault} role="alert">
          {describeError(comment.error, language)}
        </p>
      )}
      <Textarea
        ref={box}
        rows={2}
        className={css.box}
        aria-label={t('write')}
        placeholder={t('placeholder')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={css.buttons}>
        <Button
          look="primary"
          size="small"
          writes
          isBusy={comment.isPending}
          tip={t('sendKeys', { keys: keyNames('mod+enter').join(' ') })}
          onClick={send}
        >
          {t('send')}
        </Button>
        <AttachButton onFiles={onFiles} />
      </div>
    </div>
  )
}
