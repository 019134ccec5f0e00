/** After this time without output, a run may hang, so its card mentions the silence. */
const SILENT_MS = 5 * 60_000

interface Seen {
  readonly startedAt: number
  readonly lastActivityAt: number | null
  /** When this tab received the last line of the run. */
  readonly seenAt: number | undefined
}

/** Returns how long a run has been silent. Null means that the silence is too short to mention. */
export function silenceOf({ startedAt, lastActivityAt, seenAt }: Seen, now: number): number | null {
  const last = Math.max(startedAt, lastActivityAt ?? 0, seenAt ?? 0)
  return now - last >= SILENT_MS ? now - last : null
}
