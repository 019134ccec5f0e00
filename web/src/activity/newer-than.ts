interface Numbered {
  readonly id: number
}

/** Counts the events that have arrived since `shown` was read. Both lists begin with the newest event. */
export function newerThan(events: readonly Numbered[], shown: readonly Numbered[]): number {
  const newest = shown[0]?.id ?? 0
  return events.filter(({ id }) => id > newest).length
}
