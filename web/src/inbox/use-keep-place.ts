/** Keeps an item in place on the screen while items above it appear and disappear. */
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** Keeps the place. `version` changes whenever items appear or disappear. */
export function useKeepPlace(scroll: RefObject<HTMLElement | null>, elementId: string | null, version: string): void {
  const last = useRef<{ readonly elementId: string; readonly top: number } | null>(null)
  const measure = (): number | null => {
    const element = elementId === null ? null : document.getElementById(elementId)
    return element === null || scroll.current === null
      ? null
      : element.getBoundingClientRect().top - scroll.current.getBoundingClientRect().top
  }
  useLayoutEffect(() => {
    const top = measure()
    const before = last.current
    if (top !== null && before !== null && before.elementId === elementId && scroll.current !== null)
      scroll.current.scrollTop += top - before.top
    // oxlint-disable-next-line react/exhaustive-deps -- only a change of the list moves items
  }, [version])
  useEffect(() => {
    const note = (): void => {
      const top = measure()
      last.current = top === null || elementId === null ? null : { elementId, top }
    }
    note()
    const list = scroll.current
    list?.addEventListener('scroll', note, { passive: true })
    return () => list?.removeEventListener('scroll', note)
  })
}
