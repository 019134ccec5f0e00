import { useRef, useState } from 'react'
import { client } from '../../api/client.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { cardPath } from '../../routes/paths.ts'
import { Button } from '../../ui/button.tsx'
import { actionMessages } from '../action-messages.ts'
import { remedyOf } from '../card-item.ts'
import type { CardItem } from '../card-item.ts'
import { ActionLink } from '../action-link.tsx'
import { ItemHeading } from '../item-heading.tsx'
import { useInbox } from '../inbox-context.ts'
import css from '../item.module.css'
import { Refusal } from '../refusal.tsx'
import { useItemCommand } from '../use-item-command.ts'
import { useItemKeys } from '../use-item-keys.ts'
import { Proof } from './proof.tsx'
import { RequestChanges } from './request-changes.tsx'

/** Shows a card in review. `children` contains further actions, such as the choice of another reviewer. */
export function ReviewItem({ item, children }: { readonly item: CardItem; readonly children?: React.ReactNode }) {
  const t = useMessages(actionMessages)
  const { currentId, focusItem } = useInbox()
  const [isWriting, setIsWriting] = useState(false)
  const approveButton = useRef<HTMLButtonElement>(null)
  const { title } = item.task
  const approve = useItemCommand<void, unknown>(item, {
    run: () => client.approve({ task: item.id }),
    done: () => ({ text: t('approved', { card: title }) }),
  })
  const mayApprove = remedyOf(item, 'approve') !== undefined
  const maySendBack = remedyOf(item, 'request-changes') !== undefined
  useItemKeys(item.id, {
    act: () => approveButton.current?.click(),
    ...(maySendBack && { requestChanges: () => setIsWriting(true) }),
  })
  return (
    <>
      <ItemHeading item={item} />
      {isWriting && (
        <RequestChanges
          item={item}
          onClose={() => {
            setIsWriting(false)
            focusItem(item.id)
          }}
        />
      )}
      {!isWriting && (
        <div className={css.actions}>
          <Proof item={item} />
          <span className={css.push}>
            {children}
            {(item.work?.changes ?? null) !== null && (
              <ActionLink href={`${cardPath(item.board, item.id)}?tab=changes`}>{t('viewChanges')}</ActionLink>
            )}
            {maySendBack && (
              <Button size="small" writes onClick={() => setIsWriting(true)}>
                {t('requestChanges')}
              </Button>
            )}
            <Button
              ref={approveButton}
              size="small"
              look={currentId === item.id ? 'primary' : 'normal'}
              writes
              isBusy={approve.isPending}
              disabledReason={mayApprove ? null : t('notApprovable')}
              onClick={() => approve.mutate()}
            >
              {t('approve')}
            </Button>
          </span>
        </div>
      )}
      <Refusal error={approve.error} />
    </>
  )
}
