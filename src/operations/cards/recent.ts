/** Cards that finished within this time are shown beside unfinished cards. */
export const RECENT_MS = 24 * 3_600_000
