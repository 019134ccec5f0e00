import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'

/** The width in rem from which the details of the current item are in a pane. */
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
