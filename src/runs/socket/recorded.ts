/** Added to a card whose own worker spoke: the card itself has not changed yet, so a plain "done" would be a lie. */
export interface Recorded {
  readonly recorded: string
}

/** What was recorded, where a supervisor said so. */
export const recordedIn = (answer: unknown): string | null =>
  typeof answer === 'object' && answer !== null && 'recorded' in answer && typeof answer.recorded === 'string'
    ? answer.recorded
    : null
