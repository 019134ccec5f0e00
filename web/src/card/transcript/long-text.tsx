/** Shows a text with many lines, but mounts only the visible lines. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { AnsiText } from '../output/ansi-text.tsx'
import css from './output-box.module.css'
import { textLines } from './text-lines.ts'

interface Props {
  readonly text: string
  readonly label: string
  readonly wraps: boolean
  /** The searched text. The list scrolls to the first line that contains it. */
  readonly find: string
}

const LINE_PX = 17

export function LongText({ text, label, wraps, find }: Props) {
  const scroll = useRef<HTMLDivElement>(null)
  const lines = useMemo(() => textLines(text), [text])
  // oxlint-disable-next-line react/incompatible-library -- the virtualizer changes itself, and this component reads it once per render
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => LINE_PX,
    overscan: 8,
    useFlushSync: false,
  })
  useEffect(() => {
    const needle = find.toLowerCase()
    const found = needle === '' ? -1 : lines.findIndex((line) => line.toLowerCase().includes(needle))
    if (found !== -1) virtual.scrollToIndex(found, { align: 'center' })
  }, [find, lines, virtual])
  return (
    <div ref={scroll} className={css.long} role="group" aria-label={label} tabIndex={0}>
      <div className={css.canvas} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className={classNames(css.line, wraps && css.wrapped)}
            style={{ transform: `translateY(${start}px)` }}
          >
            <AnsiText text={lines[index] ?? ''} />
            {'\n'}
          </div>
        ))}
      </div>
    </div>
  )
}
