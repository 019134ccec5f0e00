/** Lists show finished cards beside unfinished ones for this long. */
export const RECENT_MS = 24 * 3_600_000
