import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { statusMessages } from '../cards/status-messages.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { Count } from '../ui/pill.tsx'
import { StatusIcon } from '../ui/status-icon.tsx'
import css from './column-tabs.module.css'
import { LANES, iconOf } from './lanes.ts'
import type { Lane, LaneName } from './lanes.ts'
import { boardMessages } from './messages.ts'
import { elementOf, laneAtFirst, rememberLane } from './phone-lane.ts'

interface Props {
  readonly lanes: readonly Lane[]
  readonly scroll: RefObject<HTMLElement | null>
}

/** Shows one tab for each column. Scrolling selects the tab, and a click on a tab scrolls to its column. */
export function ColumnTabs({ lanes, scroll }: Props) {
  const t = useMessages(boardMessages)
  const tStatus = useMessages(statusMessages)
  const tabs = useRef<HTMLElement>(null)
  const [current, setCurrent] = useState(() => laneAtFirst(lanes))
  useEffect(() => {
    if (current !== undefined) rememberLane(current)
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [current])
  useShownLane(scroll, lanes, setCurrent)
  const show = (name: string): void =>
    elementOf(scroll.current, name)?.scrollIntoView({ inline: 'start', block: 'nearest' })
  return (
    <nav ref={tabs} className={css.tabs} aria-label={t('columns')}>
      {lanes.map(({ name, count }) => (
        <button
          key={name}
          type="button"
          className={css.tab}
          aria-current={name === current ? 'true' : undefined}
          onClick={() => show(name)}
        >
          <StatusIcon status={iconOf(name)} />
          {tStatus(name)}
          <Count value={count} />
        </button>
      ))}
    </nav>
  )
}

/** Reports the column that fills the screen. */
function useShownLane(
  scroll: RefObject<HTMLElement | null>,
  lanes: readonly Lane[],
  onShown: (lane: LaneName) => void,
): void {
  const names = lanes.map(({ name }) => name).join(' ')
  useEffect(() => {
    const root = scroll.current
    if (root === null) return undefined
    const observer = new IntersectionObserver(
      (seen) => {
        const shown = seen.find(({ isIntersecting }) => isIntersecting)?.target
        const name = shown instanceof HTMLElement ? shown.dataset['lane'] : undefined
        const lane = LANES.find((one) => one === name)
        if (lane !== undefined) onShown(lane)
      },
      { root, threshold: 0.6 },
    )
    for (const column of root.children) observer.observe(column)
    return () => observer.disconnect()
  }, [scroll, names, onShown])
}
