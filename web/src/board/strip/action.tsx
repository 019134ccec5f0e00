/** The button of an item. If one step is enough, the button runs the action. Otherwise it opens the item. */
import { useState } from 'react'
import type { FormEvent, KeyboardEvent } from 'react'
import { Link } from 'wouter'
import type { InboxKind } from '../../../../src/core/inbox.ts'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import type { InboxItem } from '../../api/queries.ts'
import { useCommand } from '../../api/use-command.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { inboxItemPath } from '../../routes/paths.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Popover } from '../../ui/popover.tsx'
import { showToast } from '../../ui/toasts.ts'
import { stripMessages } from './messages.ts'
import css from './strip.module.css'

/** The label of the button that opens the item, by kind. */
const LINKS: Readonly<Record<InboxKind, 'fix' | 'read' | 'review' | 'look'>> = {
  account: 'fix',
  agent: 'fix',
  approval: 'read',
  review: 'review',
  question: 'look',
  pick: 'look',
  stopped: 'look',
  blocked: 'look',
  triage: 'look',
  unlanded: 'look',
}

export function StripAction({ item }: { readonly item: InboxItem }) {
  const t = useMessages(stripMessages)
  const offers = (operation: string): boolean => item.remedies.some((remedy) => remedy.operation === operation)
  if (item.kind === 'question' && offers('answer')) return <Answer item={item} />
  if (item.kind === 'stopped' && offers('unblock')) return <Retry item={item} />
  return (
    <Link href={inboxItemPath(item.id)} className={css.go}>
      {t(LINKS[item.kind])}
    </Link>
  )
}

const refreshed = () => [keys.inbox]

function Retry({ item }: { readonly item: InboxItem }) {
  const t = useMessages(stripMessages)
  const language = useLanguage()
  const retry = useCommand<void, unknown>({
    run: () => client.unblock({ task: item.id, reset: true }),
    cards: () => [item.id],
    refresh: refreshed,
    onDone: () => showToast({ kind: 'done', text: t('retried', { title: item.task?.title ?? item.id }) }),
    onRefusal: (error) => showToast({ kind: 'failed', text: describeError(error, language) }),
  })
  return (
    <Button size="small" writes isBusy={retry.isPending} onClick={() => retry.mutate()}>
      {t('retry')}
    </Button>
  )
}

function Answer({ item }: { readonly item: InboxItem }) {
  const t = useMessages(stripMessages)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover
      trigger={<Button size="small">{t('answer')}</Button>}
      label={t('answer')}
      align="end"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      className={css.answer}
    >
      <AnswerForm item={item} onDone={() => setIsOpen(false)} />
    </Popover>
  )
}

/** Unfinished answers by item. They survive when the popover closes or the strip changes. */
const drafts = new Map<string, string>()

function AnswerForm({ item, onDone }: { readonly item: InboxItem; readonly onDone: () => void }) {
  const t = useMessages(stripMessages)
  const language = useLanguage()
  const [text, setText] = useState(() => drafts.get(item.id) ?? '')
  const [error, setError] = useState<string | null>(null)
  const send = useCommand({
    run: (answer: string) => client.answer({ task: item.id, text: answer }),
    cards: () => [item.id],
    refresh: refreshed,
    onDone() {
      drafts.delete(item.id)
      showToast({ kind: 'done', text: t('answered') })
      onDone()
    },
    onRefusal: (refused) => setError(describeError(refused, language)),
  })
  const submit = (event: FormEvent | KeyboardEvent): void => {
    event.preventDefault()
    if (text.trim() === '') setError(t('noAnswer'))
    else send.mutate(text.trim())
  }
  return (
    <form className={css.form} onSubmit={submit}>
      <p className={css.question}>{item.question}</p>
      <TextArea
        label={t('yourAnswer')}
        rows={3}
        error={error}
        value={text}
        onChange={(event) => {
          drafts.set(item.id, event.target.value)
          setText(event.target.value)
          setError(null)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && !event.nativeEvent.isComposing) submit(event)
        }}
      />
      <div className={css.buttons}>
        <Link href={inboxItemPath(item.id)} className={css.go}>
          {t('open')}
        </Link>
        <Button look="primary" type="submit" writes isBusy={send.isPending}>
          {t('send')}
        </Button>
      </div>
    </form>
  )
}
