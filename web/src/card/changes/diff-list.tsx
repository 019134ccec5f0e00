/** Shows the lines of all files in one list. Rows are mounted, and files are loaded, only near the visible part. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useImperativeHandle, useRef } from 'react'
import type { Ref } from 'react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { clearMatches, paintMatches } from '../output/find-ranges.ts'
import css from './diff.module.css'
import { DiffLine } from './diff-line.tsx'
import { FileHead } from './file-head.tsx'
import type { FlatItem } from './flat-items.ts'
import listCss from './diff-list.module.css'
import { changesMessages } from './messages.ts'
import type { DiffState } from './use-diff.ts'

export interface DiffListHandle {
  /** Scrolls the list so that the header of a file is at the top. */
  readonly showFile: (path: string) => void
}

interface Props {
  readonly ref: Ref<DiffListHandle>
  readonly diff: DiffState
  readonly task: string
  readonly current: string | null
  readonly onCurrent: (path: string) => void
}

const LINE_PX = 20
const HEAD_PX = 44
const OVERSCAN = 20
const SETTLED_MS = 60

const sizeOf = (item: FlatItem | undefined): number => {
  if (item?.kind === 'file') return HEAD_PX
  return item?.kind === 'loading' ? item.lines * LINE_PX : LINE_PX
}

const keyOf = (item: FlatItem | undefined, at: number): string => {
  if (item === undefined) return String(at)
  const { path } = item.file
  if (item.kind !== 'row') return `${item.kind} ${path}`
  const { row } = item
  if (row.kind === 'gap') return `gap ${path} ${row.at}`
  if (row.kind === 'line') return `line ${path} ${row.line.oldNo} ${row.line.newNo}`
  return `pair ${path} ${row.left?.oldNo} ${row.right?.newNo}`
}

export function DiffList({ ref, diff, task, current, onCurrent }: Props) {
  const t = useMessages(changesMessages)
  const scroll = useRef<HTMLDivElement>(null)
  const { items, want, find } = diff
  // Whether the reader has scrolled the list. The last files never reach the top, so only the reader's scrolling
  // changes the current file.
  const isMoved = useRef(false)
  const noteMove = (): void => void (isMoved.current = true)
  const moves = { onWheel: noteMove, onTouchMove: noteMove, onPointerDown: noteMove, onKeyDown: noteMove }
  // oxlint-disable-next-line react/incompatible-library -- the virtualizer changes itself, and this component reads it once per render
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: (at) => sizeOf(items[at]),
    getItemKey: (at) => keyOf(items[at], at),
    overscan: OVERSCAN,
    paddingEnd: 64,
    useFlushSync: false,
  })
  const target = useRef<string | null>(null)
  const scrollToTarget = (): void => {
    const at = items.findIndex((item) => item.kind === 'file' && item.file.path === target.current)
    if (at !== -1) virtual.scrollToIndex(at, { align: 'start' })
  }
  useImperativeHandle(ref, () => ({
    showFile(path) {
      isMoved.current = false
      target.current = path
      scrollToTarget()
    },
  }))
  // Lines that load above the chosen file push it away. So the list scrolls back to the file, until the reader scrolls.
  const latest = useRef(scrollToTarget)
  useEffect(() => {
    latest.current = scrollToTarget
  })
  useEffect(() => {
    if (!isMoved.current) latest.current()
  }, [items.length])
  const shown = virtual.getVirtualItems()
  const paths = [...new Set(shown.flatMap(({ index }) => items[index]?.file.path ?? []))].join('\0')
  useEffect(() => {
    // Waits a moment, so that files are not loaded while the reader scrolls past them.
    const timer = setTimeout(() => paths !== '' && want(paths.split('\0')), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [paths, want])
  const top = virtual.range === null ? undefined : items[virtual.range.startIndex]?.file.path
  useEffect(() => {
    if (top !== undefined && isMoved.current) onCurrent(top)
  }, [top, onCurrent])
  useEffect(() => {
    if (scroll.current === null || find === '') return clearMatches()
    const blocks = scroll.current.querySelectorAll('[data-row]')
    paintMatches({ blocks, find, current: null })
  })
  useEffect(() => clearMatches, [])
  return (
    <div ref={scroll} className={listCss.list} role="region" aria-label={t('group')} tabIndex={0} {...moves}>
      <div className={listCss.canvas} style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, key, start }) => {
          const item = items[index]
          return item === undefined ? null : (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              data-row={index}
              className={listCss.row}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Item item={item} diff={diff} task={task} isCurrent={item.file.path === current} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

interface ItemProps {
  readonly item: FlatItem
  readonly diff: DiffState
  readonly task: string
  readonly isCurrent: boolean
}

function Item({ item, diff, task, isCurrent }: ItemProps) {
  const t = useMessages(changesMessages)
  const { file } = item
  switch (item.kind) {
    case 'file':
      return (
        <FileHead
          file={file}
          isOpen={item.isOpen}
          isViewed={diff.viewed.has(file)}
          isCurrent={isCurrent}
          onFold={() => diff.fold(file)}
          onViewed={(is) => diff.setViewed(file, is)}
        />
      )
    case 'row':
      return <DiffLine path={file.path} data={item.data} row={item.row} onGap={(at) => diff.openGap(file.path, at)} />
    case 'note':
      return (
        <p className={css.remark}>
          {item.note === 'tooLarge'
            ? t('tooLarge', { command: `muster diff ${task} --file ${file.path}` })
            : t(item.note)}
        </p>
      )
    case 'failed':
      return (
        <p className={css.remark} role="alert">
          {t('failed')}
          <Button size="small" onClick={() => diff.retry(file.path)}>
            {t('retry')}
          </Button>
        </p>
      )
    case 'loading':
      return (
        <div
          className={css.waiting}
          style={{ height: item.lines * LINE_PX }}
          role="group"
          aria-busy="true"
          aria-label={t('loading')}
        >
          {[60, 45, 70].slice(0, item.lines).map((width) => (
            <Skeleton key={width} width={width} isSmall />
          ))}
        </div>
      )
  }
}
