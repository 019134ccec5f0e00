/**
 * Runs a task beside the dispatcher and not in its passes: after changes of the store, and at least once a minute.
 * `stop` also cancels an open request to a model.
 */
import { asBoardError, isTemporary } from '../../core/errors.ts'
import type { Store } from '../../storage/store.ts'

export interface BackgroundLoop {
  stop(): Promise<void>
}

interface LoopContext {
  readonly store: Pick<Store, 'watch'>
  /** Called with a sentence for the user. */
  readonly onNotice: (text: string) => void
}

/** Does one unit of work. Returns whether there may be another one, or the time in ms until the next one is due. */
type Look = (onNotice: (text: string) => void, stop: AbortSignal) => Promise<boolean | number>

const LOOK_MS = 60_000
/** Changes of the store within this time cause only one run of the task. */
const DEBOUNCE_MS = 1_000

export async function startLoop({ store, onNotice: notify }: LoopContext, look: Look): Promise<BackgroundLoop> {
  const stop = new AbortController()
  let wake = (): void => {}
  const watcher = await store.watch(() => wake())
  const loop = async (): Promise<void> => {
    const notices = new Set<string>()
    const onNotice = (text: string): void => {
      if (!notices.has(text)) notify(text)
      notices.add(text)
    }
    while (!stop.signal.aborted) {
      const changed = new Promise<void>((resolve) => (wake = resolve))
      const next = await look(onNotice, stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted && !isTemporary(error)) onNotice(asBoardError(error).message)
        return false
      })
      if (next !== true) await waitFor(changed, stop.signal, next === false ? LOOK_MS : Math.min(next, LOOK_MS))
    }
  }
  const ended = loop()
  return {
    stop: async () => {
      stop.abort()
      await watcher.stop()
      await ended
    },
  }
}

/** Waits for a change of the store, but not longer than `mostMs`. */
async function waitFor(changed: Promise<void>, stop: AbortSignal, mostMs: number): Promise<void> {
  let done = (): void => {}
  const ended = new Promise<void>((resolve) => (done = resolve))
  const timer = setTimeout(done, mostMs)
  let debounce: NodeJS.Timeout | undefined
  void changed.then(() => (debounce = setTimeout(done, DEBOUNCE_MS)))
  stop.addEventListener('abort', done)
  await ended
  stop.removeEventListener('abort', done)
  clearTimeout(timer)
  clearTimeout(debounce)
}
