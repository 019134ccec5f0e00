/** Passes events on as they arrive, for screens that list events. */
import { useEffect, useRef } from 'react'
import type { FeedEvent } from './live-messages.ts'

const listeners = new Set<(event: FeedEvent) => void>()

export function notifyEvent(event: FeedEvent): void {
  for (const listener of listeners) listener(event)
}

/** Calls back with each event while the component is shown. */
export function useEvents(onEvent: (event: FeedEvent) => void): void {
  const latest = useRef(onEvent)
  useEffect(() => {
    latest.current = onEvent
  })
  useEffect(() => {
    const listener = (event: FeedEvent): void => latest.current(event)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [])
}
