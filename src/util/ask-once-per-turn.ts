/**
 * Calls with the same key in one turn of the event loop share one question. The question starts after these calls, so
 * its answer is never older than any of them.
 */
export function askOncePerTurn<Key, Answer>(ask: (key: Key) => Promise<Answer>): (key: Key) => Promise<Answer> {
  const next = new Map<Key, Promise<Answer>>()
  return (key) => {
    const shared = next.get(key)
    if (shared !== undefined) return shared
    const answer = new Promise<Answer>((resolve) => {
      setImmediate(() => {
        next.delete(key)
        resolve(ask(key))
      })
    })
    next.set(key, answer)
    return answer
  }
}
