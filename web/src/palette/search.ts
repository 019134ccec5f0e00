/** Finds cards on all boards by title, id and text. The server searches. */
import { queryOptions } from '@tanstack/react-query'
import { STATUSES } from '../../../src/core/vocabulary.ts'
import type { Status } from '../../../src/core/vocabulary.ts'
import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'

export interface FoundCard {
  readonly board: string
  readonly id: string
  readonly title: string
  readonly status: Status
}

/** A search returns at most this many cards of each status. */
const EACH = 6

const ID = /^t_[0-9a-z]{2,16}$/

export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: [...keys.board(null), 'search', text],
    async queryFn({ signal }): Promise<readonly FoundCard[]> {
      const [byId, byText] = await Promise.all([findById(text, signal), findByText(text, signal)])
      const found = new Map([...byId, ...byText].map((card) => [card.id, card]))
      return inOrder([...found.values()], text)
    },
  })

async function findById(text: string, signal: AbortSignal): Promise<readonly FoundCard[]> {
  if (!ID.test(text)) return []
  try {
    const { board, id, title, status } = await client.show({ task: text }, { signal })
    return [{ board, id, title, status }]
  } catch {
    // No id, or more than one, starts with this text.
    return []
  }
}

async function findByText(text: string, signal: AbortSignal): Promise<readonly FoundCard[]> {
  // With the value 0, `changedSince` also includes cards that finished long ago.
  const asked = { text, all: true, statuses: STATUSES, sort: 'updated-desc', changedSince: 0, limit: EACH } as const
  const { columns } = await client.board(asked, { signal })
  return columns.flatMap(({ cards }) => cards)
}

/** Sorts the cards: matches in the title first, finished cards last. */
export function inOrder(cards: readonly FoundCard[], text: string): readonly FoundCard[] {
  const wanted = text.toLowerCase()
  const rank = ({ id, title, status }: FoundCard): number =>
    (id === wanted ? 0 : title.toLowerCase().includes(wanted) ? 10 : 20) + ORDER.indexOf(status)
  return cards.toSorted((a, b) => rank(a) - rank(b))
}

const ORDER: readonly Status[] = [
  'blocked',
  'review',
  'running',
  'ready',
  'todo',
  'scheduled',
  'triage',
  'done',
  'archived',
]
