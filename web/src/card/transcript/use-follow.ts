import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { followsAfter } from './follow.ts'

/** A move of the view within this time after a key press, a wheel turn or a touch comes from the reader. */
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
    // Each move by the reader extends this time, because momentum and dragging the scroll bar take long.
    if (byReader) noteReader()
  }
  const stop = useCallback(() => setIsFollowing(false), [])
  const start = (): void => {
    // When the rows at the end are measured, the view moves up a little. The reader did not cause that.
    moved.current.at = -Infinity
    setIsFollowing(true)
  }
  return {
    /** The element that scrolls. */
    scroll,
    isFollowing,
    /** The number of new rows since the view stopped following. */
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
