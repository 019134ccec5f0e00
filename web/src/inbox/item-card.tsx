/** Shows one item of the list: its kind, its age, and the actions for its kind. */
import type { KeyboardEvent } from 'react'
import { useLocation } from 'wouter'
import type { InboxItem } from '../api/queries.ts'
import { cardPath } from '../routes/paths.ts'
import { classNames } from '../ui/class-names.ts'
import { isCardItem } from './card-item.ts'
import { InlineDetail } from './detail/inline-detail.tsx'
import { HiddenItem } from './hidden-item.tsx'
import { useInbox } from './inbox-context.ts'
import { headingId } from './item-heading.tsx'
import { ItemMeta } from './item-meta.tsx'
import css from './item.module.css'
import { AccountItem } from './kinds/account.tsx'
import { AgentItem } from './kinds/agent.tsx'
import { ApprovalItem } from './kinds/approval.tsx'
import { BlockedItem } from './kinds/blocked.tsx'
import { PickItem } from './kinds/pick.tsx'
import { QuestionItem } from './kinds/question.tsx'
import { ReviewItem } from './kinds/review.tsx'
import { StoppedItem } from './kinds/stopped.tsx'
import { TriageItem } from './kinds/triage.tsx'
import { UnknownItem } from './kinds/unknown.tsx'
import { UnlandedItem } from './kinds/unlanded.tsx'

/** The id of the HTML element of an item. */
export const itemElementId = (id: string): string => `item-${id}`

export function ItemCard({ item }: { readonly item: InboxItem }) {
  const { currentId, select, hasPane } = useInbox()
  const [, navigate] = useLocation()
  const isCurrent = currentId === item.id
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.target !== event.currentTarget || !isCardItem(item)) return
    event.preventDefault()
    navigate(cardPath(item.board, item.id))
  }
  return (
    // An item handles the keys of the list. All other actions have their own buttons.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <article
      id={itemElementId(item.id)}
      className={classNames(css.item, isCurrent && css.current)}
      aria-current={isCurrent || undefined}
      aria-labelledby={headingId(item.id)}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={() => select(item.id)}
      onClick={() => select(item.id)}
      onKeyDown={onKeyDown}
    >
      <ItemMeta item={item} />
      {item.hidden === null ? <Content item={item} /> : <HiddenItem item={item} />}
      {isCurrent && !hasPane && <InlineDetail item={item} />}
    </article>
  )
}

function Content({ item }: { readonly item: InboxItem }) {
  if (item.kind === 'account') return <AccountItem item={item} />
  if (!isCardItem(item)) return <UnknownItem item={item} />
  switch (item.kind) {
    case 'question':
      return <QuestionItem item={item} />
    case 'review':
      return <ReviewItem item={item} />
    case 'approval':
      return item.commands === null ? (
        <UnknownItem item={item} />
      ) : (
        <ApprovalItem item={item} commands={item.commands} />
      )
    case 'stopped':
      return <StoppedItem item={item} />
    case 'pick':
      return <PickItem item={item} />
    case 'blocked':
      // The entries of the tournament need the person, not the tournament itself.
      return item.reason?.code === 'no_entry_left' ? <PickItem item={item} /> : <BlockedItem item={item} />
    case 'triage':
      return <TriageItem item={item} />
    case 'agent':
      return <AgentItem item={item} />
    case 'unlanded':
      return <UnlandedItem item={item} />
    default:
      return <UnknownItem item={item} />
  }
}
