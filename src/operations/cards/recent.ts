/** The time for which lists show finished cards beside unfinished cards. */
export const RECENT_MS = 24 * 3_600_000
