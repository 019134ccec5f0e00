/** Decides whether a view follows a live log: the view stays at the end until the reader scrolls up. */
export interface ScrollPlace {
  readonly top: number
  /** The height of the content, followed by the height of its visible part. */
  readonly height: number
  readonly view: number
}

/** The distance from the end, in pixels, at which a reader counts as reading the end. */
const NEAR_END = 24

export const isAtEnd = ({ top, height, view }: ScrollPlace): boolean => height - top - view <= NEAR_END

interface Scrolled {
  readonly isFollowing: boolean
  readonly before: number
  readonly place: ScrollPlace
  /** Whether the reader moved the view. It may also move because of new rows or new sizes of rows. */
  readonly byReader: boolean
}

/** Whether the view still follows the log after it has moved. */
export function followsAfter({ isFollowing, before, place, byReader }: Scrolled): boolean {
  if (!byReader) return isFollowing
  if (place.top < before) return false
  return isFollowing || isAtEnd(place)
}
