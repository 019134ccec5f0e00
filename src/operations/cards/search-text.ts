/** The maximum length of a search text. SQLite refuses patterns of over 50,000 bytes. */
export const TEXT_MAX = 1_000
