/** A cursor is `<epoch>:<id>`. A restore of the store starts a new epoch. */
export const epochOf = (cursor: string): string => cursor.slice(0, cursor.indexOf(':'))

const idOf = (cursor: string): number => Number(cursor.slice(cursor.indexOf(':') + 1))

/** Whether a position is the same as another or after it. Positions of different epochs cannot be compared. */
export const hasReached = (cursor: string, other: string): boolean =>
  epochOf(cursor) === epochOf(other) && idOf(cursor) >= idOf(other)

/** Whether an event is after a position of the same epoch. */
export const isAfter = (id: number, cursor: string): boolean => id > idOf(cursor)
