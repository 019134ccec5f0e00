import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'

/**
 * The layout of the board. `phone` has a tab for each column. In `narrow`, empty and finished columns are rails. In
 * `wide`, every column is open.
 */
export type BoardLayout = 'phone' | 'narrow' | 'wide'

/**
 * Computes the layout. The widths are in rem, so that larger text changes the layout in the same way as a smaller
 * window.
 */
export function layoutOf(boardRem: number, windowRem: number): BoardLayout {
  if (windowRem < 40) return 'phone'
  return boardRem >= 112.5 ? 'wide' : 'narrow'
}

/** Returns the layout for the width of the board. An open card makes the board narrower. */
export function useWideBoard(board: RefObject<HTMLElement | null>): BoardLayout {
  const [layout, setLayout] = useState<BoardLayout>(() => layoutOf(0, innerWidth / 16))
  useLayoutEffect(() => {
    const element = board.current
    if (element === null) return undefined
    const measure = (): void => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      setLayout(layoutOf(element.clientWidth / rem, innerWidth / rem))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [board])
  return layout
}
