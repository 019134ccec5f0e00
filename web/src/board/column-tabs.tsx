import { useEffect, useState } from 'react'
import type { RefObject } from 'react'
import { statusMessages } from '../cards/status-messages.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { Count } from '../ui/pill.tsx'
import { StatusIcon } from '../ui/status-icon.tsx'
import css from './column-tabs.module.css'
import { iconOf } from './lanes.ts'
import type { Lane } from './lanes.ts'
import { boardMessages } from './messages.ts'

interface Props {
  readonly lanes: readonly Lane[]
  readonly scroll: RefObject<HTMLElement | null>
}

/** Shows one tab for each column. Scrolling selects the tab, and a click on a tab scrolls to its column. */
export function ColumnTabs({ lanes, scroll }: Props) {
  const t = useMessages(boardMessages)
  const tStatus = useMessages(statusMessages)
  const [current, setCurrent] = useState<string | undefined>(lanes[0]?.name)
  useEffect(() => {
    const root = scroll.current
    if (root === null) return undefined
    const observer = new IntersectionObserver(
      (seen) => {
        const shown = seen.find(({ isIntersecting }) => isIntersecting)?.target
        if (shown instanceof HTMLElement) setCurrent(shown.dataset['lane'])
      },
      { root, threshold: 0.6 },
    )
    for (const column of root.children) observer.observe(column)
    return () => observer.disconnect()
  }, [scroll])
  const show = (name: string): void =>
    scroll.current?.querySelector(`[data-lane="${name}"]`)?.scrollIntoView({ inline: 'start', block: 'nearest' })
  return (
    <nav className={css.tabs} aria-label={t('columns')}>
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
