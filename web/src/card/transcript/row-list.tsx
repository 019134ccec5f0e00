/**
 * Shows the list of rows. Only the rows near the visible part are mounted. While the list follows a live run, it stays
 * at its end.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDownToLine } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { formatClock, formatExact } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { useShortcuts } from '../../shortcuts/use-shortcut.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Clock } from '../../ui/time.tsx'
import type { CardDetails, CardRun } from '../card-details.ts'
import { clearMatches, paintMatches } from '../output/find-ranges.ts'
import { transcriptMessages } from './messages.ts'
import css from './row-list.module.css'
import { isOpenAtFirst, shownTime } from './row-look.ts'
import type { Unfolded } from './row-look.ts'
import type { PagesState, Row, RowPages } from './row-pages.ts'
import rowCss from './rows.module.css'
import { TranscriptRow } from './transcript-row.tsx'
import { useFollow } from './use-follow.ts'
import type { RowsSource } from './use-rows.ts'

export interface Found {
  readonly find: string
  readonly matches: ReadonlySet<number>
  /** The position of the current match. Null means that no match is current. */
  readonly current: number | null
}

interface Props {
  readonly card: CardDetails
  readonly run: CardRun
  readonly source: RowsSource
  readonly pages: RowPages
  readonly state: PagesState
  readonly wraps: boolean
  readonly unfolded: Unfolded
  readonly found: Found
}

const ROW_PX = 26
const OVERSCAN = 12

export function RowList({ card, run, source, pages, state, wraps, unfolded, found }: Props) {
  const t = useMessages(transcriptMessages)
  const { total, isLive } = state
  const follow = useFollow(total)
  const { scroll, stop } = follow
  const [toggled, toggle] = useToggled(unfolded)
  // oxlint-disable-next-line react/incompatible-library -- the virtualizer changes itself, and this component reads it once per render
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    paddingStart: 8,
    useFlushSync: false,
  })
  const items = virtual.getVirtualItems()
  const [from, to] = [items[0]?.index ?? 0, (items.at(-1)?.index ?? -1) + 1]
  useEffect(() => pages.want(from, to), [pages, from, to])
  const { find, matches, current } = found
  useEffect(() => {
    if (current === null) return
    stop()
    virtual.scrollToIndex(current, { align: 'center' })
  }, [current, find, virtual, stop])
  usePaintedMatches(scroll, found, [state.version, from, to, toggled, unfolded])

  const isOpen = (row: Row, position: number): boolean =>
    toggled.get(row.n) ?? (matches.has(position) || isOpenAtFirst(row, unfolded))
  const openNow = useRef<(n: number) => boolean>(() => false)
  useLayoutEffect(() => {
    openNow.current = (n) => {
      const item = virtual.getVirtualItems().find(({ index }) => pages.rowAt(index)?.n === n)
      const row = item === undefined ? undefined : pages.rowAt(item.index)
      return row !== undefined && item !== undefined && isOpen(row, item.index)
    }
  })
  const onToggle = useCallback(
    (n: number): void => {
      stop()
      toggle(n, !openNow.current(n))
    },
    [stop, toggle],
  )
  const group = t('group')
  useShortcuts([
    { keys: 'f', name: t('follow'), group, onPress: follow.start },
    { keys: 'end', name: t('follow'), group, onPress: follow.start },
    { keys: 'home', name: t('toStart'), group, onPress: follow.toStart },
  ])
  const last = pages.rowAt(total - 1)
  return (
    <div className={css.frame}>
      <div
        ref={scroll}
        className={css.log}
        role="log"
        aria-live="off"
        aria-label={t('label', { attempt: run.attempt })}
        tabIndex={0}
        {...follow.handlers}
      >
        <div className={css.canvas} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const row = pages.rowAt(index)
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                data-row={row?.n ?? ''}
                className={classNames(
                  css.row,
                  index === current && css.current,
                  row?.kind === 'output' && !wraps && css.unwrapped,
                )}
                style={{ transform: `translateY(${start}px)` }}
              >
                {row === undefined ? (
                  <span className={css.missing} />
                ) : (
                  <>
                    <RowTime row={row} before={pages.rowAt(index - 1)} startedAt={run.startedAt} />
                    <div className={css.content}>
                      <TranscriptRow
                        row={row}
                        card={card}
                        source={source}
                        isLive={isLive}
                        isOpen={isOpen(row, index)}
                        onToggle={onToggle}
                        wraps={wraps}
                        find={matches.has(index) ? find : ''}
                      />
                    </div>
                  </>
                )}
              </div>
            )
          })}
        </div>
        {isLive && <Working isQuiet={last?.kind === 'call' && last.state === 'open'} startedAt={run.startedAt} />}
      </div>
      {isLive && <FollowButton {...follow} />}
    </div>
  )
}

/** Remembers which rows the reader has opened or closed. "Open all" resets this. */
function useToggled(unfolded: Unfolded) {
  const [state, setState] = useState<{ readonly of: Unfolded; readonly rows: ReadonlyMap<number, boolean> }>({
    of: unfolded,
    rows: new Map(),
  })
  if (state.of !== unfolded) setState({ of: unfolded, rows: new Map() })
  const toggle = useCallback(
    (n: number, isOpen: boolean) => setState(({ of, rows }) => ({ of, rows: new Map(rows).set(n, isOpen) })),
    [],
  )
  return [state.rows, toggle] as const
}

function RowTime({
  row,
  before,
  startedAt,
}: {
  readonly row: Row
  readonly before: Row | undefined
  readonly startedAt: number
}) {
  const language = useLanguage()
  const elapsed = shownTime(row, before, startedAt)
  if (elapsed === null || row.at === null) return <span className={css.time} />
  return (
    <time className={css.time} dateTime={new Date(row.at).toISOString()} title={formatExact(language, row.at)}>
      {formatClock(language, elapsed)}
    </time>
  )
}

/** Shows the last line of a live run. If a call is running, its row has the clock. */
function Working({ isQuiet, startedAt }: { readonly isQuiet: boolean; readonly startedAt: number }) {
  const t = useMessages(transcriptMessages)
  return (
    <div className={css.working}>
      {!isQuiet && (
        <>
          <i className={rowCss.beat} />
          {t('waiting')}
          <span className={css.clock}>
            <Clock since={startedAt} />
          </span>
        </>
      )}
    </div>
  )
}

function FollowButton({ isFollowing, unread, start, stop }: ReturnType<typeof useFollow>) {
  const t = useMessages(transcriptMessages)
  return (
    <Button
      className={css.follow}
      aria-pressed={isFollowing}
      icon={isFollowing ? <i className={rowCss.beat} /> : <ArrowDownToLine />}
      onClick={isFollowing ? stop : start}
    >
      {isFollowing ? (
        t('following')
      ) : (
        <>
          {unread > 0 && <b className={css.unread}>{t('newRows', { n: unread })}</b>}
          {t('follow')}
        </>
      )}
    </Button>
  )
}

/** Highlights the search matches in the mounted rows. */
function usePaintedMatches(
  scroll: React.RefObject<HTMLDivElement | null>,
  { find, matches, current }: Found,
  changes: readonly unknown[],
): void {
  useEffect(() => {
    if (find === '') return clearMatches()
    // Markdown and long texts are rendered a moment after their row, so the matches are painted again.
    const paint = (): void => {
      const rows = [...(scroll.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
      const blocks = rows.filter(({ dataset }) => matches.has(Number(dataset['index'])))
      const now = rows.find(({ dataset }) => Number(dataset['index']) === current) ?? null
      paintMatches({ blocks, find, current: now })
    }
    const observer = new MutationObserver(paint)
    if (scroll.current !== null) observer.observe(scroll.current, { childList: true, subtree: true })
    paint()
    return () => observer.disconnect()
    // oxlint-disable-next-line react/exhaustive-deps -- the rows that are mounted change what is marked
  }, [scroll, find, matches, current, ...changes])
  useEffect(() => clearMatches, [])
}
