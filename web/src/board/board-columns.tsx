/** Shows the columns side by side. On a phone, shows one column at a time, with a tab for each column. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { useRoute } from 'wouter'
import { useMessages } from '../i18n/use-messages.tsx'
import { useValue } from '../app-state/use-value.ts'
import { ROUTES } from '../routes/paths.ts'
import { useKnownLanes } from './actions/known-cards.ts'
import { useBoardInfo } from './board-context.ts'
import { useWideBoard } from './use-wide-board.ts'
import css from './board-columns.module.css'
import { Column, Rail } from './column.tsx'
import { ColumnTabs } from './column-tabs.tsx'
import { elementOf, laneAtFirst } from './phone-lane.ts'
import { scrollToColumn } from './scroll-to-column.ts'
import { isRail } from './lanes.ts'
import type { Lane } from './lanes.ts'
import { boardMessages } from './messages.ts'
import { predictions, withPredictions } from './moving/predicted.ts'

export function BoardColumns({ lanes: given }: { readonly lanes: readonly Lane[] }) {
  const predicted = useValue(predictions)
  const lanes = useMemo(() => withPredictions(given, predicted), [given, predicted])
  useKnownLanes(lanes)
  const t = useMessages(boardMessages)
  const [, card] = useRoute(ROUTES.card)
  const { showsEmpty, hasChosen } = useBoardInfo()
  const scroll = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const layout = useWideBoard(scroll)
  useFirstLane(scroll, lanes, layout === 'phone')
  useColumnInView(scroll, lanes, card?.card ?? null)
  const toggle = (name: string): void =>
    setOpened((before) =>
      before.has(name) ? new Set([...before].filter((one) => one !== name)) : new Set([...before, name]),
    )
  return (
    <>
      {layout === 'phone' && <ColumnTabs lanes={lanes} scroll={scroll} />}
      <div ref={scroll} className={css.columns} role="region" aria-label={t('columns')} tabIndex={-1}>
        {lanes.map((lane) =>
          layout === 'narrow' && !hasChosen && isRail(lane, { opened, showsEmpty }) ? (
            <Rail key={lane.name} lane={lane} onOpen={() => toggle(lane.name)} />
          ) : (
            <Column
              key={lane.name}
              lane={lane}
              openCard={card?.card ?? null}
              onCollapse={layout === 'narrow' && opened.has(lane.name) ? () => toggle(lane.name) : null}
            />
          ),
        )}
      </div>
    </>
  )
}

/** An open card leaves less room for columns, so the column of the card is scrolled into view. */
function useColumnInView(scroll: RefObject<HTMLElement | null>, lanes: readonly Lane[], card: string | null): void {
  const name = card === null ? undefined : lanes.find(({ cards }) => cards.some(({ id }) => id === card))?.name
  useEffect(() => {
    if (card === null || name === undefined) return
    const box = scroll.current
    const column = elementOf(box, name)
    if (box === null || column === null) return
    const left = box.getBoundingClientRect().left - box.scrollLeft
    const edges = [...box.children].map((child) => {
      const { left: start, right: end } = child.getBoundingClientRect()
      return { start: start - left, end: end - left }
    })
    const place = { from: box.scrollLeft, width: box.clientWidth }
    box.scrollTo({ left: scrollToColumn(edges, [...box.children].indexOf(column), place) })
  }, [scroll, card, name])
}

/** Shows the first column of a phone before the board is drawn. */
function useFirstLane(scroll: RefObject<HTMLElement | null>, lanes: readonly Lane[], isPhone: boolean): void {
  useLayoutEffect(() => {
    const first = elementOf(scroll.current, laneAtFirst(lanes))
    if (isPhone) first?.scrollIntoView({ inline: 'start', block: 'nearest', behavior: 'instant' })
    // oxlint-disable-next-line react/exhaustive-deps -- later the person scrolls
  }, [scroll, isPhone])
}
