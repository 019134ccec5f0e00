import { useCallback, useEffect, useRef } from 'react'

/** A draft is stored when the person stops typing. Storing a megabyte at each key press would be slow. */
const SETTLED_MS = 250

/**
 * Stores a draft when the person stops typing, closes the page, or leaves this part of the page. `discard` removes the
 * stored draft, until the draft changes again.
 */
export function useStored<Draft>(draft: Draft, store: (draft: Draft | null) => void): { readonly discard: () => void } {
  const latest = useRef({ draft, store, isDiscarded: false })
  useEffect(() => {
    latest.current = { draft, store, isDiscarded: false }
    const timer = setTimeout(() => store(draft), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [draft, store])
  useEffect(() => {
    const keep = (): void => {
      const now = latest.current
      if (!now.isDiscarded) now.store(now.draft)
    }
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      keep()
    }
  }, [])
  const discard = useCallback(() => {
    latest.current.isDiscarded = true
    latest.current.store(null)
  }, [])
  return { discard }
}
