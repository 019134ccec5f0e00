const LONGEST_MS = 30_000

/**
 * Runs something until a timeout, which must not end it before it has begun. On a busy machine a shell may start
 * slowly. A run that was ended too early is therefore repeated with a longer timeout.
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
