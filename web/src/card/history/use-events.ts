import { useState } from 'react'
import { client } from '../../api/client.ts'
import type { EventView } from '../../../../src/client/index.ts'
import type { CardDetails } from '../card-details.ts'
import { hasEarlier, mergeEvents } from './event-days.ts'

interface Events {
  /** The events, from the oldest to the newest. */
  readonly events: readonly EventView[]
  readonly isAll: boolean
  readonly isLoading: boolean
  readonly error: unknown
  readonly loadEarlier: () => void
}

const PAGE = 200

/**
 * Reads the events of a card. The newest events arrive with the card. Earlier events never change and are read on
 * request.
 */
export function useEvents(card: CardDetails): Events {
  const [known, setKnown] = useState<readonly EventView[]>(card.events)
  const [newest, setNewest] = useState(card.events)
  const [isEnd, setIsEnd] = useState(false)
  const [isLoading, setIsLoading] = useState(false)
  const [error, setError] = useState<unknown>(null)
  if (newest !== card.events) {
    setNewest(card.events)
    setKnown(mergeEvents(known, card.events))
  }
  const loadEarlier = async (): Promise<void> => {
    setIsLoading(true)
    setError(null)
    try {
      const before = known[0]?.id ?? null
      const { events, next } = await client.activity({ task: card.id, before, limit: PAGE })
      setKnown((now) => [...events.filter(({ id }) => id < (now[0]?.id ?? Infinity)).toReversed(), ...now])
      setIsEnd(next === null)
    } catch (failure) {
      setError(failure)
    } finally {
      setIsLoading(false)
    }
  }
  return {
    events: known,
    isAll: isEnd || !hasEarlier(known),
    isLoading,
    error,
    loadEarlier: () => void loadEarlier(),
  }
}
