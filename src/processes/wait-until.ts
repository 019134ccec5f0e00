import type { Store } from '../storage/store.ts'

export interface WaitLimits {
  readonly forMs: number
  /** The time between two calls of `look` if the store does not change. */
  readonly everyMs: number
}

/** Calls `look` after every change of the store until it returns a value. Returns null after the timeout. */
export async function waitUntil<T>(
  store: Pick<Store, 'watch'>,
  look: () => Promise<T | null>,
  { forMs, everyMs }: WaitLimits,
): Promise<T | null> {
  const deadline = performance.now() + forMs
  let changed = false
  let wake = (): void => {}
  const watcher = await store.watch(() => {
    changed = true
    wake()
  })
  try {
    for (;;) {
      changed = false
      const found = await look()
      if (found !== null) return found
      const leftMs = deadline - performance.now()
      if (leftMs <= 0) return null
      if (changed) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(leftMs, everyMs))
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  } finally {
    await watcher.stop()
  }
}
