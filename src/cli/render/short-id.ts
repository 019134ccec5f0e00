/** Enough characters to be unique on almost every board. Commands accept any unique beginning of an id. */
const LENGTH = 't_'.length + 6

export const shortId = (id: string): string => id.slice(0, LENGTH)
