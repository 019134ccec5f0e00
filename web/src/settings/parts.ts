/** The pages of the settings. Each page has a URL. */
export const PARTS = ['boards', 'tokens', 'appearance', 'notifications', 'shortcuts', 'machine'] as const
export type Part = (typeof PARTS)[number]

/** Returns the page that the URL names. If it names none, returns a page that needs no data from the server. */
export const partOf = (named: string | null): Part => PARTS.find((part) => part === named) ?? 'appearance'
