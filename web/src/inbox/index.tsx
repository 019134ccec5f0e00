/** The page Needs you. It lists everything that waits for the person on all boards, and the person can act there. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { isTaskId } from '../../../src/core/ids.ts'
import { summaryQuery } from '../api/queries.ts'
import type { InboxItem } from '../api/queries.ts'
import { useNow } from '../app-state/use-now.ts'
import { formatAge } from '../i18n/format.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { PageHeader } from '../page/page-header.tsx'
import { cardPath } from '../routes/paths.ts'
import { useCurrentBoard } from '../routes/use-current-board.ts'
import { Kbd } from '../ui/kbd.tsx'
import { ErrorState } from '../ui/states.tsx'
import { Arrivals } from './arrivals.tsx'
import { Empty } from './empty.tsx'
import { FilterBar } from './filter-bar.tsx'
import css from './inbox.module.css'
import { ItemList } from './list.tsx'
import { inboxMessages } from './messages.ts'
import { itemQuery, pageQuery } from './queries.ts'
import { InboxSkeleton } from './skeleton.tsx'
import { useInboxAddress } from './use-inbox-address.ts'

export function InboxScreen() {
  const t = useMessages(inboxMessages)
  const { filter, after, itemId, setFilter, setAfter, setItem } = useInboxAddress()
  const { data: page, error, refetch, isPlaceholderData } = useQuery(pageQuery({ filter, after }))
  const { items, goneId } = useShownItems(page?.items, itemId)
  return (
    <>
      <PageHeader
        title={t('title')}
        summary={<Summary items={items} isAll={filter === 'all'} />}
        actions={<KeyHints />}
      />
      <FilterBar filter={filter} onChange={setFilter} />
      {goneId !== null && <Gone id={goneId} />}
      {page !== undefined && !isPlaceholderData && <Arrivals items={items} of={`${filter} ${after ?? ''}`} />}
      {page !== undefined ? (
        items.length === 0 ? (
          <Empty filter={filter} onShowAll={() => setFilter('all')} />
        ) : (
          <ItemList
            // Each page gets a new list, so that it starts at the top.
            key={`${filter} ${after ?? ''}`}
            page={page}
            items={items}
            itemId={itemId}
            onSelect={setItem}
            onPage={setAfter}
            isLaterPage={after !== null}
            isOld={isPlaceholderData}
          />
        )
      ) : error === null ? (
        <InboxSkeleton label={t('loading')} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </>
  )
}

interface Shown {
  readonly items: readonly InboxItem[]
  /** The id of the item that the URL names, if this item no longer needs a person. Otherwise null. */
  readonly goneId: string | null
}

const NO_ITEMS: readonly InboxItem[] = []

/** Returns the items of the page. If the URL names an item of another page, this item comes first. */
function useShownItems(listed: readonly InboxItem[] | undefined, itemId: string | null): Shown {
  const isElsewhere = listed !== undefined && itemId !== null && !listed.some(({ id }) => id === itemId)
  const { data: found } = useQuery({ ...itemQuery(itemId ?? ''), enabled: isElsewhere && isTaskId(itemId) })
  if (listed === undefined) return { items: NO_ITEMS, goneId: null }
  if (!isElsewhere || found === undefined) return { items: listed, goneId: null }
  return found === null ? { items: listed, goneId: itemId } : { items: [found, ...listed], goneId: null }
}

function Summary({ items, isAll }: { readonly items: readonly InboxItem[]; readonly isAll: boolean }) {
  const t = useMessages(inboxMessages)
  const language = useLanguage()
  const now = useNow()
  const { data } = useQuery(summaryQuery)
  if (data === undefined || data.waiting.count === 0) return null
  const counted = t(data.waiting.isExact ? 'summary' : 'summaryMore', { n: data.waiting.count })
  const isComplete = isAll && items.length === data.waiting.count
  if (!isComplete) return counted
  const oldest = Math.min(...items.map(({ since }) => since))
  return `${counted} · ${t('oldest', { age: formatAge(language, oldest, now) })}`
}

function KeyHints() {
  const t = useMessages(inboxMessages)
  return (
    <span className={css.hints}>
      <span>
        <Kbd keys="j" />
        <Kbd keys="k" />
        {t('keyMove')}
      </span>
      <span>
        <Kbd keys="a" />
        {t('keyAct')}
      </span>
      <span>
        <Kbd keys="h" />
        {t('keySnooze')}
      </span>
    </span>
  )
}

/** Explains that the linked item no longer needs a person. The link to its card may name any board, because the page of the card corrects it. */
function Gone({ id }: { readonly id: string }) {
  const t = useMessages(inboxMessages)
  const board = useCurrentBoard()
  if (board === null) return null
  return (
    <p className={css.gone} role="status">
      {t.rich('gone', { card: <code>{id}</code> })}{' '}
      <Link href={cardPath(board, id)} className={css.step}>
        {t('openCard')}
      </Link>
    </p>
  )
}
