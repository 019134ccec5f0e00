/**
 * Remembers when the person last looked at a board in this browser. All functions are pure, except the two that use
 * local storage.
 */

/** The longest absence within one look. After a shorter absence, the person is still on the same look. */
export const SAME_LOOK_MS = 10 * 60_000

export interface Look {
  /**
   * The person has seen all cards that finished before this time. Null means that the person sees the board for the
   * first time.
   */
  readonly since: number | null
  /** When the board was last on the screen. */
  readonly seenAt: number
}

/** Returns the look of a person who sees the board at `now`. After a long absence, a new look starts. */
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
