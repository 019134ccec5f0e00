const LONGEST_MS = 30_000

/**
 * Runs a program until its timeout. On a busy machine, the timeout may end a slow shell before the script has begun.
 * Such a run is repeated with a longer timeout.
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
