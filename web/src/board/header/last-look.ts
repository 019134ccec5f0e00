/**
 * The time at which the person last looked at a board in this browser. The functions are pure, except for the two that
 * use the storage.
 */

/** The longest break within one look. A person who returns within this time is still looking. */
export const SAME_LOOK_MS = 10 * 60_000

export interface Look {
  /**
   * The time up to which the person has seen what finished. Null means that the person sees the board for the first
   * time.
   */
  readonly since: number | null
  /** The time at which the board was last on the screen. */
  readonly seenAt: number
}

/**
 * Returns the look of a person who sees the board at `now`. If the last look ended long enough ago, a new look begins.
 */
export function nextLook(before: Look | null, now: number): Look {
  if (before === null) return { since: null, seenAt: now }
  return { since: now - before.seenAt >= SAME_LOOK_MS ? before.seenAt : before.since, seenAt: now }
}

const keyOf = (board: string | null): string => `muster-look ${board ?? '*'}`

export function readLook(board: string | null): Look | null {
  const found = /^(\d*) (\d+)$/.exec(localStorage.getItem(keyOf(board)) ?? '')
  return found === null ? null : { since: found[1] === '' ? null : Number(found[1]), seenAt: Number(found[2]) }
}

export const writeLook = (board: string | null, { since, seenAt }: Look): void =>
  localStorage.setItem(keyOf(board), `${since ?? ''} ${seenAt}`)
