/** The parts of the settings. Each part has a URL. */
export const PARTS = ['boards', 'tokens', 'appearance', 'notifications', 'shortcuts', 'machine'] as const
export type Part = (typeof PARTS)[number]

/** Returns the part that the URL names. If the URL names none, returns a part that needs no data from the server. */
export const partOf = (named: string | null): Part => PARTS.find((part) => part === named) ?? 'appearance'
