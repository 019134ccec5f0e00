import { useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { AgentMenu } from '../../cards/agent-select.tsx'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { Textarea } from '../../ui/field.tsx'
import { actionMessages } from '../action-messages.ts'
import type { CardItem } from '../card-item.ts'
import { useDraft } from '../drafts.ts'
import { useInbox } from '../inbox-context.ts'
import { ItemHeading } from '../item-heading.tsx'
import css from '../item.module.css'
import { LongText } from '../long-text.tsx'
import { Refusal } from '../refusal.tsx'
import { useItemCommand } from '../use-item-command.ts'
import { useItemKeys } from '../use-item-keys.ts'
import { Proof } from './proof.tsx'
import { retry, useReassign } from './use-reassign.ts'

/** Shows a card that an agent blocked without a question, for example because a permission is missing. */
export function BlockedItem({ item }: { readonly item: CardItem }) {
  const t = useMessages(actionMessages)
  const { currentId, focusItem } = useInbox()
  const [text, setText] = useDraft(item.id, 'unblock')
  const button = useRef<HTMLButtonElement>(null)
  const { title, assignee } = item.task
  const unblock = useItemCommand<void, unknown>(item, {
    run: () => retry(item, text.trim() === '' ? null : text.trim()),
    done: () => ({ text: t('unblocked', { card: title }) }),
    onDone: () => setText(''),
  })
  const reassign = useReassign(item)
  const submit = (): void => {
    if (!unblock.isPending) unblock.mutate()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit()
    else if (event.key === 'Escape') focusItem(item.id)
    else return
    event.preventDefault()
  }
  useItemKeys(item.id, { act: () => button.current?.click() })
  return (
    <>
      <ItemHeading item={item} />
      {item.question !== null && <LongText text={item.question} />}
      <Textarea
        rows={1}
        className={css.replyText}
        aria-label={t('unblockLabel')}
        placeholder={t('unblockLabel')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={css.actions}>
        <Proof item={item} isFailed />
        <span className={css.push}>
          <AgentMenu label={t('reassign')} value={assignee} onChoose={(agent) => reassign.mutate(agent)}>
            <Button size="small" writes isBusy={reassign.isPending}>
              {t('reassign')}
            </Button>
          </AgentMenu>
          <Button
            ref={button}
            size="small"
            look={currentId === item.id ? 'primary' : 'normal'}
            writes
            isBusy={unblock.isPending}
            onClick={submit}
          >
            {t('unblock')}
          </Button>
        </span>
      </div>
      <Refusal error={unblock.error ?? reassign.error} />
    </>
  )
}
