/** Shows the list of items, and beside it the details of the current item. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Inbox, InboxItem } from '../api/queries.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { DetailPane } from './detail/detail-pane.tsx'
import { InboxContext } from './inbox-context.ts'
import type { InboxActions } from './inbox-context.ts'
import css from './inbox.module.css'
import { ItemCard, itemElementId } from './item-card.tsx'
import { inboxMessages } from './messages.ts'
import { PAGES } from './queries.ts'
import { currentOf, nextAfter } from './queue.ts'
import { useHasPane } from './use-pane.ts'
import { useKeepPlace } from './use-keep-place.ts'
import { useListKeys } from './use-list-keys.ts'

interface Props {
  readonly page: Inbox
  readonly items: readonly InboxItem[]
  readonly itemId: string | null
  readonly onSelect: (id: string | null) => void
  readonly onPage: (after: string | null) => void
  readonly isLaterPage: boolean
  /** Whether the items belong to the previous filter, because the answer for the current filter has not arrived yet. */
  readonly isOld: boolean
}

export function ItemList({ page, items, itemId, onSelect, onPage, isLaterPage, isOld }: Props) {
  const t = useMessages(inboxMessages)
  const frame = useRef<HTMLDivElement>(null)
  const scroll = useRef<HTMLDivElement>(null)
  const hasPane = useHasPane(frame)
  const current = useCurrent(items, itemId)
  const { actions, move } = useActions({ items, current, hasPane, onSelect })
  useListKeys(move, current)
  useKeepPlace(scroll, current === null ? null : itemElementId(current.id), items.map(({ id }) => id).join(' '))
  return (
    <InboxContext value={actions}>
      <div ref={frame} className={classNames(css.panes, hasPane && css.both)}>
        <div ref={scroll} className={css.list} aria-busy={isOld}>
          <ul className={css.items} aria-label={t('list')}>
            {items.map((item) => (
              <li key={item.id}>
                <ItemCard item={item} />
              </li>
            ))}
          </ul>
          <Pager next={page.next} isLaterPage={isLaterPage} onPage={onPage} />
        </div>
        {hasPane && current !== null && <DetailPane key={current.id} item={current} />}
      </div>
    </InboxContext>
  )
}

/** Returns the current item. If it is gone, returns the item that took its place. */
function useCurrent(items: readonly InboxItem[], itemId: string | null): InboxItem | null {
  const [place, setPlace] = useState(0)
  const at = items.findIndex(({ id }) => id === itemId)
  if (at >= 0 && at !== place) setPlace(at)
  return currentOf(items, itemId, itemId === null ? 0 : place)
}

interface Acting {
  readonly items: readonly InboxItem[]
  readonly current: InboxItem | null
  readonly hasPane: boolean
  readonly onSelect: (id: string | null) => void
}

function useActions({ items, current, hasPane, onSelect }: Acting) {
  const queries = useQueryClient()
  const latest = useRef({ items, currentId: current?.id ?? null })
  const nextFocus = useRef<string | null>(undefined)
  useEffect(() => {
    const currentId = current?.id ?? null
    latest.current = { items, currentId }
    if (nextFocus.current !== currentId) return
    nextFocus.current = undefined
    focusItem(currentId)
  })
  return useMemo(() => {
    // The focus moves when the item is shown as the current item, because only then do its keys work.
    const move = (to: InboxItem | null): void => {
      const id = to?.id ?? null
      if (id === latest.current.currentId) return focusItem(id)
      nextFocus.current = id
      onSelect(id)
    }
    const leave = (ids: readonly string[]): void => {
      const { items: before, currentId } = latest.current
      if (ids.length === 0) return
      void queries.cancelQueries({ queryKey: PAGES })
      queries.setQueriesData<Inbox>(
        { queryKey: PAGES },
        (page) => page && { ...page, items: page.items.filter(({ id }) => !ids.includes(id)) },
      )
      // If the person has chosen another item meanwhile, that item stays current.
      if (currentId === null || ids.includes(currentId)) move(nextAfter(before, ids))
    }
    const actions: InboxActions = {
      items,
      currentId: current?.id ?? null,
      hasPane,
      select: (id) => {
        if (id !== latest.current.currentId) onSelect(id)
      },
      leave,
      focusItem,
      focusCurrent: () => focusItem(latest.current.currentId),
    }
    return {
      actions,
      move: (step: (items: readonly InboxItem[], id: string | null) => InboxItem | null) =>
        move(step(latest.current.items, latest.current.currentId)),
    }
  }, [items, current?.id, hasPane, onSelect, queries])
}

/** Moves the focus to an item. If there is none, the page gets the focus, so that the shortcuts still work. */
function focusItem(id: string | null): void {
  const element = document.getElementById(id === null ? 'content' : itemElementId(id))
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'nearest' })
}

interface PagerProps {
  readonly next: string | null
  readonly isLaterPage: boolean
  readonly onPage: (after: string | null) => void
}

function Pager({ next, isLaterPage, onPage }: PagerProps) {
  const t = useMessages(inboxMessages)
  if (next === null && !isLaterPage) return null
  return (
    <div className={css.pager}>
      {isLaterPage && <Button onClick={() => onPage(null)}>{t('firstPage')}</Button>}
      {next !== null && <Button onClick={() => onPage(next)}>{t('nextPage')}</Button>}
    </div>
  )
}
