/** The epoch of a cursor. A cursor is `<epoch>:<id>`, and a restore of the store starts a new epoch. */
export const epochOf = (cursor: string): string => cursor.slice(0, cursor.indexOf(':'))

const idOf = (cursor: string): number => Number(cursor.slice(cursor.indexOf(':') + 1))

/** Whether a position is at or after another position. Positions of different epochs cannot be compared. */
export const hasReached = (cursor: string, other: string): boolean =>
  epochOf(cursor) === epochOf(other) && idOf(cursor) >= idOf(other)

/** Whether an event is after a position of the same epoch. */
export const isAfter = (id: number, cursor: string): boolean => id > idOf(cursor)
