import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'

/** From this width in rem, the page has a pane for the details of the current item. */
const PANE_REM = 70

/** Returns whether the page has room for the pane. The width is in rem, because larger text needs more room. */
export function useHasPane(page: RefObject<HTMLElement | null>): boolean {
  const [hasPane, setHasPane] = useState(() => innerWidth / 16 >= PANE_REM)
  useLayoutEffect(() => {
    const element = page.current
    if (element === null) return undefined
    const measure = (): void => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      setHasPane(element.clientWidth / rem >= PANE_REM)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [page])
  return hasPane
}
