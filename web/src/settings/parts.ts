/** The parts of the settings. Each part has an address. */
export const PARTS = ['boards', 'tokens', 'appearance', 'notifications', 'shortcuts', 'machine'] as const
export type Part = (typeof PARTS)[number]

/**
 * Returns the part that the address names. If the address names none, returns a part that needs no data from the
 * server.
 */
export const partOf = (named: string | null): Part => PARTS.find((part) => part === named) ?? 'appearance'
