import { useRef } from 'react'
import { AgentMenu } from '../../cards/agent-select.tsx'
import { useMessages } from '../../i18n/use-messages.tsx'
import { cardPath } from '../../routes/paths.ts'
import { Button } from '../../ui/button.tsx'
import { actionMessages } from '../action-messages.ts'
import { ActionLink } from '../action-link.tsx'
import type { CardItem } from '../card-item.ts'
import { useInbox } from '../inbox-context.ts'
import { ItemHeading } from '../item-heading.tsx'
import css from '../item.module.css'
import { lastError } from '../last-error.ts'
import { Refusal } from '../refusal.tsx'
import { useItemCommand } from '../use-item-command.ts'
import { useItemKeys } from '../use-item-keys.ts'
import { CommandText } from './command-text.tsx'
import { Proof } from './proof.tsx'
import { retry, useReassign } from './use-reassign.ts'

/** Shows a card that failed too often. */
export function StoppedItem({ item }: { readonly item: CardItem }) {
  const t = useMessages(actionMessages)
  const { currentId } = useInbox()
  const button = useRef<HTMLButtonElement>(null)
  const { title, assignee } = item.task
  const again = useItemCommand<void, unknown>(item, {
    run: () => retry(item),
    done: () => ({ text: t('retried', { card: title }) }),
  })
  const reassign = useReassign(item)
  const error = lastError(item)
  useItemKeys(item.id, { act: () => button.current?.click() })
  return (
    <>
      <ItemHeading item={item} />
      {error !== null && <CommandText label={t('transcript')}>{error}</CommandText>}
      <div className={css.actions}>
        <Proof item={item} isFailed />
        <span className={css.push}>
          {item.work !== null && (
            <ActionLink href={`${cardPath(item.board, item.id)}?tab=transcript`}>{t('transcript')}</ActionLink>
          )}
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
            isBusy={again.isPending}
            onClick={() => again.mutate()}
          >
            {t('retry')}
          </Button>
        </span>
      </div>
      <Refusal error={again.error ?? reassign.error} />
    </>
  )
}
