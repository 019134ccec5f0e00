import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage } from '../../i18n/use-messages.tsx'
import type { CardDetails } from '../card-details.ts'
import { firstPage, withEarlier, withNewest } from './comment-list.ts'
import type { Comments } from './comment-list.ts'

interface CommentState extends Comments {
  readonly isLoading: boolean
  readonly error: string | null
  readonly loadEarlier: () => void
}

/** Reads the comments of the card. Comments never change, so an earlier page is read only once. */
export function useComments(card: CardDetails): CommentState {
  const cache = useQueryClient()
  const language = useLanguage()
  const [list, setList] = useState<Comments>(() => firstPage(card))
  const [seen, setSeen] = useState(card.comments)
  const [isLoading, setIsLoading] = useState(false)
  const [error, setError] = useState<string | null>(null)
  if (seen !== card.comments) {
    setSeen(card.comments)
    setList(withNewest(list, card))
  }
  const [first] = list.shown
  const loadEarlier = async (): Promise<void> => {
    if (first === undefined || isLoading) return
    setIsLoading(true)
    setError(null)
    try {
      const page = await cache.fetchQuery({
        queryKey: ['earlier-comments', card.id, first.id],
        staleTime: Infinity,
        queryFn: ({ signal }) => client.show({ task: card.id, commentsBefore: first.id }, { signal }),
      })
      setList((now) => (now.shown[0]?.id === first.id ? withEarlier(now, page) : now))
    } catch (failure) {
      setError(describeError(failure, language))
    } finally {
      setIsLoading(false)
    }
  }
  return { ...list, isLoading, error, loadEarlier: () => void loadEarlier() }
}
