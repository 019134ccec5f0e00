/** A list that mounts only the rows near its visible part. It measures the height of each row. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useImperativeHandle, useRef } from 'react'
import type { ReactNode, Ref } from 'react'
import { classNames } from './class-names.ts'
import css from './virtual-list.module.css'

export interface VirtualListControls {
  readonly scrollTo: (index: number) => void
  readonly element: () => HTMLElement | null
}

interface Props<Item> {
  readonly controls?: Ref<VirtualListControls>
  readonly label: string
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  /** The assumed height of a row in pixels, until the row is measured. */
  readonly estimate: number
  /** The space between rows in pixels. */
  readonly gap?: number
  readonly paddingStart?: number
  readonly paddingEnd?: number
  readonly className?: string | undefined
  readonly children: (item: Item, index: number) => ReactNode
  /** Called when the visible part comes near the end of the list, to load more rows. */
  readonly onEnd?: () => void
}

const OVERSCAN = 6
/** About how much of the window is above the list. */
const ABOVE_PX = 240

/** About the height of a list that fills the window. */
const usualHeight = (): number => Math.max(0, innerHeight - ABOVE_PX)

export function VirtualList<Item>({
  controls,
  label,
  items,
  keyOf,
  estimate,
  gap = 0,
  paddingStart = 0,
  paddingEnd = 0,
  className,
  children,
  onEnd,
}: Props<Item>) {
  const scroll = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- the virtualizer changes itself, and this component reads it once per render
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    // Renders the first rows together with the list, without waiting for a measurement.
    initialRect: { width: 0, height: usualHeight() },
    estimateSize: () => estimate,
    getItemKey: (index) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item)
    },
    overscan: OVERSCAN,
    gap,
    paddingStart,
    paddingEnd,
    // This option is off, because React 19 warns about a synchronous render inside an effect.
    useFlushSync: false,
    onChange({ range }) {
      if (range !== null && range.endIndex >= items.length - 1 - OVERSCAN) onEnd?.()
    },
  })
  useImperativeHandle(
    controls,
    () => ({ scrollTo: (index) => virtual.scrollToIndex(index), element: () => scroll.current }),
    [virtual],
  )
  return (
    <div ref={scroll} className={classNames(css.scroll, className)} role="list" aria-label={label} tabIndex={0}>
      <div className={css.canvas} style={{ height: virtual.getTotalSize() }} role="presentation">
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const item = items[index]
          return item === undefined ? null : (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={css.row}
              role="listitem"
              aria-setsize={items.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              {children(item, index)}
            </div>
          )
        })}
      </div>
    </div>
  )
}
