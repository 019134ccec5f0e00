/**
 * The files that the reader has marked as viewed, stored in this browser. A mark is valid for one content of a file.
 */
const KEY = 'muster-viewed'
/** The marks of at most this many cards are stored. The oldest are deleted first. */
const CARDS_MAX = 50

/** The hash of the content that was viewed, by path. */
export type Viewed = Readonly<Record<string, string>>

type Cards = Readonly<Record<string, Viewed>>

function readAll(): Cards {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Cards) : {}
  } catch {
    return {}
  }
}

export const readViewed = (card: string): Viewed => readAll()[card] ?? {}

export function keepViewed(card: string, viewed: Viewed): void {
  const { [card]: _before, ...others } = readAll()
  const kept = Object.entries(others).slice(1 - CARDS_MAX)
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...kept, [card, viewed]])))
  } catch {
    // The storage of the browser is full, so the marks last only until the page is closed.
  }
}

interface Named {
  readonly path: string
  readonly hash: string
}

export const isViewed = (viewed: Viewed, { path, hash }: Named): boolean => viewed[path] === hash

export function withViewed(viewed: Viewed, { path, hash }: Named, is: boolean): Viewed {
  const { [path]: _before, ...others } = viewed
  return is ? { ...others, [path]: hash } : others
}
