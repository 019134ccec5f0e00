/** Decides whether a view follows a live log. It stays at the end until the reader scrolls up. */
export interface ScrollPlace {
  readonly top: number
  /** The height of the content, and of its visible part. */
  readonly height: number
  readonly view: number
}

/** A reader within this distance from the end, in pixels, is reading the end. */
const NEAR_END = 24

export const isAtEnd = ({ top, height, view }: ScrollPlace): boolean => height - top - view <= NEAR_END

interface Scrolled {
  readonly isFollowing: boolean
  readonly before: number
  readonly place: ScrollPlace
  /** Whether the reader scrolled the view. It also moves when rows appear or change their size. */
  readonly byReader: boolean
}

/** Whether the view still follows the log after it has moved. */
export function followsAfter({ isFollowing, before, place, byReader }: Scrolled): boolean {
  if (!byReader) return isFollowing
  if (place.top < before) return false
  return isFollowing || isAtEnd(place)
}
