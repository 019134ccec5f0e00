/**
 * The length of a short id. Ids of this length are unique on almost every board, and commands accept any unique
 * beginning of an id.
 */
const LENGTH = 't_'.length + 6

export const shortId = (id: string): string => id.slice(0, LENGTH)
