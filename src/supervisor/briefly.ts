import { patiently } from './patiently.ts'

const BRIEFLY_MS = 3_000

/**
 * For what should be told to the store but must not hold up what follows: tried for a moment, also against a store that
 * does not answer at all. It never rejects.
 */
export async function briefly(tell: () => Promise<unknown>, forMs = BRIEFLY_MS): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, forMs)))
  try {
    await Promise.race([patiently(tell, { forMs }), late])
  } catch {
    // Whatever it was, the caller goes on.
  } finally {
    clearTimeout(timer)
  }
}
