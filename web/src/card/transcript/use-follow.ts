import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { followsAfter } from './follow.ts'

/** The time after a key, the wheel or a touch within which a move of the view comes from the reader. */
const BY_READER_MS = 400

/** Keeps the view at the end of a list until the reader scrolls up. */
export function useFollow(total: number) {
  const scroll = useRef<HTMLDivElement>(null)
  const [isFollowing, setIsFollowing] = useState(true)
  const [seen, setSeen] = useState(0)
  const moved = useRef({ top: 0, at: -Infinity })
  useLayoutEffect(() => {
    const element = scroll.current
    if (isFollowing && element !== null) element.scrollTop = element.scrollHeight
  })
  if (isFollowing && seen !== total) setSeen(total)

  const noteReader = (): void => void (moved.current.at = performance.now())
  const onScroll = (): void => {
    const element = scroll.current
    if (element === null) return
    const { scrollTop: top, scrollHeight: height, clientHeight: view } = element
    const byReader = performance.now() - moved.current.at < BY_READER_MS
    setIsFollowing(followsAfter({ isFollowing, before: moved.current.top, place: { top, height, view }, byReader }))
    moved.current.top = top
    // A move by the reader extends the time, because dragging the scroll bar, or scrolling with momentum, takes long.
    if (byReader) noteReader()
  }
  const stop = useCallback(() => setIsFollowing(false), [])
  const start = (): void => {
    // The rows at the end are measured now, which moves the view up a little. The last turn of the wheel did not do that.
    moved.current.at = -Infinity
    setIsFollowing(true)
  }
  return {
    /** The element that scrolls. */
    scroll,
    isFollowing,
    /** The number of rows that were added since the view stopped following. */
    unread: total - seen,
    start,
    stop,
    toStart: (): void => {
      setIsFollowing(false)
      scroll.current?.scrollTo({ top: 0 })
    },
    handlers: {
      onScroll,
      onWheel: noteReader,
      onTouchMove: noteReader,
      onKeyDown: noteReader,
      onPointerDown: noteReader,
    },
  }
}
