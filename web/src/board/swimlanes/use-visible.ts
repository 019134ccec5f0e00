import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'

/**
 * Returns whether an element has ever been near the visible part of the screen. The value stays true, so that loaded
 * content is kept.
 */
export function useVisible(): readonly [RefObject<HTMLDivElement | null>, boolean] {
  const place = useRef<HTMLDivElement>(null)
  const [isVisible, setIsVisible] = useState(false)
  useEffect(() => {
    const element = place.current
    if (element === null || isVisible) return undefined
    const observer = new IntersectionObserver(
      (seen) => setIsVisible(seen.some(({ isIntersecting }) => isIntersecting)),
      {
        rootMargin: '200px',
      },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [isVisible])
  return [place, isVisible]
}
