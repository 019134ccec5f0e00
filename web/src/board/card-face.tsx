/**
 * Shows a card on the board: its title, its state, and its facts. Every card has the same lines, so all cards have the
 * same height.
 */
import { ChartNoAxesColumnIncreasing, Check, ListTree, LoaderCircle } from 'lucide-react'
import { memo, useLayoutEffect, useRef, useState } from 'react'
import type { MouseEvent } from 'react'
import { Link } from 'wouter'
import type { BoardCard } from '../api/queries.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { cardPath } from '../routes/paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import { classNames } from '../ui/class-names.ts'
import { Tag } from '../ui/pill.tsx'
import { Clock, Money, RelativeTime } from '../ui/time.tsx'
import css from './card-face.module.css'
import { useBoardInfo } from './board-context.ts'
import { CardRefusal } from './card-refusal.tsx'
import { CardState } from './card-state.tsx'
import { CardTools, TouchMenu, hasHover } from './card-tools.tsx'
import { menuRequest } from './actions/requests.ts'
import { shownColumns } from './keyboard/columns.ts'
import { focusIfWanted, noteBlur, noteFocus } from './keyboard/focus.ts'
import { shownAttempt, stateSince } from './lanes.ts'
import { boardMessages } from './messages.ts'
import moving from './moving/moving.module.css'
import { useCardDrag, useDropEdge, useIsDragged } from './moving/use-card-drag.ts'
import { extended, selection, toggled } from './selection/selection.ts'
import { useIsSelected } from './selection/use-is-selected.ts'

interface Props {
  readonly card: BoardCard
  readonly isOpen: boolean
  readonly isSaving: boolean
}

export const CardFace = memo(function CardFace({ card, isOpen, isSaving }: Props) {
  const t = useMessages(boardMessages)
  const element = useRef<HTMLElement>(null)
  const { id, title } = card
  const [isNear, setIsNear] = useState(false)
  const isSelected = useIsSelected(id)
  const isDragged = useIsDragged(id)
  useCardDrag(element, id)
  useLayoutEffect(() => focusIfWanted(id), [id])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the link inside is the control; its target is the whole card
    <article
      ref={element}
      data-card={id}
      className={classNames(
        css.card,
        isOpen && css.open,
        isSelected && css.selected,
        isDragged && css.dragged,
        isSaving && css.busy,
      )}
      aria-busy={isSaving || undefined}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setIsNear(true)}
      onPointerLeave={() => setIsNear(false)}
      onFocus={() => noteFocus(id)}
      onBlur={({ target }) => noteBlur(id, target)}
      onClickCapture={(event) => selectByClick(event, id)}
      onContextMenu={(event) => openContextMenu(event, id)}
    >
      <h3 className={css.title}>
        <Link
          href={cardPath(card.board, id)}
          className={css.link}
          draggable={false}
          aria-current={isOpen ? 'true' : undefined}
        >
          {title}
        </Link>
      </h3>
      {isSaving ? (
        <p className={css.saving}>
          <LoaderCircle className={css.spin} />
          {t('saving')}
        </p>
      ) : (
        <CardState card={card} />
      )}
      <Facts card={card} />
      <CardRefusal id={id} />
      {isSelected && (
        <span className={css.tick} role="img" aria-label={t('selected')}>
          <Check />
        </span>
      )}
      {!hasHover() ? (
        <TouchMenu id={id} title={title} />
      ) : (
        isNear && <CardTools id={id} title={title} isSelected={isSelected} />
      )}
      <DropLine id={id} />
    </article>
  )
})

/**
 * Selects the card. A click with Ctrl or ⌘ adds one card to the selection; a click with Shift adds a range. On a touch
 * screen, a tap selects the card if other cards are selected.
 */
function selectByClick(event: MouseEvent<HTMLElement>, id: string): void {
  if (!(event.target instanceof Element) || event.target.closest('h3') === null) return
  const isTouch = (event.nativeEvent as PointerEvent).pointerType === 'touch'
  const before = selection.get()
  const column = shownColumns().find(({ cards }) => cards.includes(id))?.cards ?? []
  if (event.shiftKey) selection.set(extended(before, id, column))
  else if (event.ctrlKey || event.metaKey || (isTouch && before.ids.size > 0)) selection.set(toggled(before, id))
  else return
  event.preventDefault()
  event.stopPropagation()
}

/** Opens the menu of the card after a right click, the menu key, or a long press on a touch screen. */
function openContextMenu(event: MouseEvent<HTMLElement>, id: string): void {
  event.preventDefault()
  const { ids } = selection.get()
  const isKey = event.clientX === 0 && event.clientY === 0
  const { x, y } = isKey ? event.currentTarget.getBoundingClientRect() : { x: event.clientX, y: event.clientY }
  menuRequest.set({ kind: 'card', ids: ids.has(id) ? [...ids] : [id], at: { x, y, width: 1, height: 1 } })
}

function DropLine({ id }: { readonly id: string }) {
  const edge = useDropEdge(id)
  return edge === null ? null : <span className={classNames(moving.line, moving[edge])} />
}

function Facts({ card }: { readonly card: BoardCard }) {
  const t = useMessages(boardMessages)
  const isAll = useBoardInfo().board === null
  const { run, assignee, priority, tenant, labels, progress, work } = card
  const agent = run?.by ?? assignee
  const attempt = shownAttempt(card)
  const tags = [...(isAll ? [card.board] : []), ...(tenant === null ? [] : [tenant]), ...labels]
  return (
    <div className={css.facts}>
      {priority > 0 && (
        <span
          role="img"
          className={css.priority}
          data-level={Math.min(priority, 3)}
          aria-label={t('priority', { priority })}
          title={t('priority', { priority })}
        >
          <ChartNoAxesColumnIncreasing />
        </span>
      )}
      <span className={css.agent}>
        {agent !== null && <Avatar agent={agent} />}
        <span className={css.name}>{agent ?? t('unassigned')}</span>
      </span>
      <Tags tags={tags} />
      <span className={css.end}>
        {run === null ? <RelativeTime at={stateSince(card)} /> : <Clock since={run.startedAt} />}
        {attempt !== null && <span title={t('attemptTip', { attempt })}>{t('attempt', { attempt })}</span>}
        {work?.costUsd != null && <Money usd={work.costUsd} />}
        {progress !== null && (
          <span className={css.progress} title={t('progress', progress)}>
            <ListTree />
            {progress.done}/{progress.total}
          </span>
        )}
      </span>
    </div>
  )
}

/** Shows the first tag and the number of further tags, because the line has room for only one. */
function Tags({ tags: [first, ...others] }: { readonly tags: readonly string[] }) {
  if (first === undefined) return null
  return (
    <span className={css.tags} title={[first, ...others].join(', ')}>
      <span className={css.tag}>
        <Tag>{first}</Tag>
        {others.length > 0 && <span>+{others.length}</span>}
      </span>
    </span>
  )
}
