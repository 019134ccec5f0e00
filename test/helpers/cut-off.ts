const LONGEST_MS = 30_000

/**
 * Ends something by its time, once it has begun: how long a shell takes to say its first word is for the machine to say,
 * so what was cut off before is started again with more time.
 */
export async function cutOff<T>(run: (timeoutMs: number) => Promise<T>, hasBegun: (ran: T) => boolean): Promise<T> {
  for (let timeoutMs = 250; ; timeoutMs *= 5) {
    const ran = await run(timeoutMs)
    if (hasBegun(ran) || timeoutMs > LONGEST_MS) return ran
  }
}
