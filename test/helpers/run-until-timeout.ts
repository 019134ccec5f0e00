const LONGEST_MS = 30_000

/**
 * Runs something with a timeout that must not end it before it has begun. A shell may take long to start on a busy
 * machine, so a run that was ended too early is repeated with a longer timeout.
 */
export async function runUntilTimeout<T>(
  run: (timeoutMs: number) => Promise<T>,
  hasBegun: (ran: T) => boolean,
): Promise<T> {
  for (let timeoutMs = 250; ; timeoutMs *= 5) {
    const ran = await run(timeoutMs)
    if (hasBegun(ran) || timeoutMs > LONGEST_MS) return ran
  }
}
