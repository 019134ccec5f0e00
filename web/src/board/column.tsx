import { ChevronRight } from 'lucide-react'
import { useCallback, useId, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { useSavingCards } from '../api/use-command.ts'
import { useNow } from '../app-state/use-now.ts'
import { statusMessages } from '../cards/status-messages.ts'
import { formatAge } from '../i18n/format.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { IconButton } from '../ui/button.tsx'
import { Count } from '../ui/pill.tsx'
import { StatusIcon } from '../ui/status-icon.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import type { VirtualListControls } from '../ui/virtual-list.tsx'
import { useBoardInfo } from './board-context.ts'
import { CardFace } from './card-face.tsx'
import { registerColumn } from './keyboard/columns.ts'
import css from './column.module.css'
import { iconOf, oldestRun } from './lanes.ts'
import type { Lane } from './lanes.ts'
import { boardMessages } from './messages.ts'
import { DropHint } from './moving/drop-hint.tsx'
import { useLaneDrop } from './moving/use-lane-drop.ts'
import { QuickCreate } from './quick-create/index.tsx'

/** The height of a card: a title of one line, a state and facts. */
const CARD_HEIGHT = 76

interface ColumnProps {
  readonly lane: Lane
  readonly openCard: string | null
  /** Collapses the column to a rail. Null means that the column cannot be collapsed. */
  readonly onCollapse: (() => void) | null
}

export function Column({ lane, openCard, onCollapse }: ColumnProps) {
  const t = useMessages(boardMessages)
  const tStatus = useMessages(statusMessages)
  const id = useId()
  const saving = useSavingCards()
  const { loadMore } = useBoardInfo()
  const name = tStatus(lane.name)
  const section = useRef<HTMLElement>(null)
  const list = useRef<VirtualListControls>(null)
  useLaneDrop(
    section,
    lane.name,
    useCallback(() => list.current?.element() ?? null, []),
  )
  useRegistered(section, list, lane)
  return (
    <section ref={section} className={css.column} data-lane={lane.name} aria-labelledby={id}>
      <header className={css.head}>
        <StatusIcon status={iconOf(lane.name)} />
        <h2 id={id} className={css.name}>
          {name}
        </h2>
        <Count value={lane.count} isCut={lane.isCut} />
        <Oldest lane={lane} />
        {onCollapse !== null && (
          <span className={css.collapse}>
            <IconButton size="small" icon={<ChevronRight />} label={t('closeColumn', { name })} onClick={onCollapse} />
          </span>
        )}
      </header>
      {lane.cards.length === 0 ? (
        <p className={css.none}>{t('noCards')}</p>
      ) : (
        <VirtualList
          controls={list}
          label={name}
          items={lane.cards}
          keyOf={(card) => card.id}
          estimate={CARD_HEIGHT}
          gap={8}
          paddingStart={6}
          paddingEnd={8}
          className={css.cards}
          onEnd={() => loadMore(lane.name)}
        >
          {(card) => (
            <div className={css.slot}>
              <CardFace card={card} isOpen={card.id === openCard} isSaving={saving.has(card.id)} />
            </div>
          )}
        </VirtualList>
      )}
      <QuickCreate lane={lane.name} />
      <DropHint lane={lane.name} />
    </section>
  )
}

function useRegistered(
  section: RefObject<HTMLElement | null>,
  list: RefObject<VirtualListControls | null>,
  { name, cards }: Lane,
): void {
  useLayoutEffect(() => {
    const element = section.current
    if (element === null) return undefined
    return registerColumn(element, {
      lane: name,
      cards: cards.map(({ id }) => id),
      scrollTo: (index) => list.current?.scrollTo(index),
    })
  }, [section, list, name, cards])
}

function Oldest({ lane }: { readonly lane: Lane }) {
  const t = useMessages(boardMessages)
  const language = useLanguage()
  const now = useNow()
  const since = oldestRun(lane)
  return since === null || now - since < 60_000 ? null : (
    <span className={css.oldest}>{t('oldest', { age: formatAge(language, since, now) })}</span>
  )
}

/** Shows a collapsed column, of which only the number of cards is visible. */
export function Rail({ lane, onOpen }: { readonly lane: Lane; readonly onOpen: () => void }) {
  const t = useMessages(boardMessages)
  const tStatus = useMessages(statusMessages)
  const { newDone } = useBoardInfo()
  const name = tStatus(lane.name)
  const rail = useRef<HTMLButtonElement>(null)
  useLaneDrop(rail, lane.name)
  return (
    <button
      ref={rail}
      type="button"
      className={css.rail}
      aria-expanded={false}
      title={t('openColumn', { name })}
      onClick={onOpen}
    >
      <StatusIcon status={iconOf(lane.name)} />
      <span className={css.railName}>{name}</span>
      <Count value={lane.count} />
      {lane.name === 'done' && newDone > 0 && <span className={css.new}>{t('new', { n: newDone })}</span>}
      <DropHint lane={lane.name} isRail />
    </button>
  )
}
