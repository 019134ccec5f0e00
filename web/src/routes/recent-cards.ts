/** The cards that this browser showed last, the latest first. */
const KEY = 'muster-recent-cards'
const MOST = 8

export interface RecentCard {
  readonly board: string
  readonly id: string
}

const isCard = (value: unknown): value is RecentCard =>
  typeof value === 'object' &&
  value !== null &&
  'board' in value &&
  'id' in value &&
  typeof value.board === 'string' &&
  typeof value.id === 'string'

export function recentCards(): readonly RecentCard[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isCard).slice(0, MOST) : []
  } catch {
    // Another program stored a value that is not valid.
    return []
  }
}

export const withRecent = (before: readonly RecentCard[], card: RecentCard): readonly RecentCard[] =>
  [card, ...before.filter(({ id }) => id !== card.id)].slice(0, MOST)

export const rememberCard = (card: RecentCard): void =>
  localStorage.setItem(KEY, JSON.stringify(withRecent(recentCards(), card)))
