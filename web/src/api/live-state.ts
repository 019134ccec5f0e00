/**
 * The state of the connection to the event stream, which all tabs of a browser share:
 *   connecting → live ⇄ lost, and signed_out from each of them
 */
import type { FeedConnection } from '../../../src/client/index.ts'
import { makeValue } from '../app-state/value.ts'

export type LiveState =
  | { readonly is: 'connecting' | 'live' | 'signed_out' }
  /** The connection is lost. `since` is the time at which the browser noticed this. */
  | { readonly is: 'lost'; readonly since: number }

export const liveState = makeValue<LiveState>({ is: 'connecting' })

/** Whether this tab reads the event stream for the other tabs. */
export const leadsValue = makeValue(false)

export const isLive = (): boolean => liveState.get().is === 'live'

/**
 * Returns the state after a change of the connection. An unchanged state stays the same object. The server ends each
 * stream after some minutes, and only a failed reconnect counts as a loss.
 */
export function stateAfter(before: LiveState, connection: FeedConnection, now: number): LiveState {
  if (connection.state === 'open') return before.is === 'live' ? before : { is: 'live' }
  if (connection.state !== 'waiting' || connection.error === null || before.is === 'lost') return before
  return { is: 'lost', since: now }
}

/**
 * The longest time that requests wait for the stream. Data that was read without the stream is read again when the
 * stream opens.
 */
const PATIENCE_MS = 1_500

/** Resolves when this tab receives live events, or after the longest wait. */
export function whenJoined(): Promise<void> {
  if (liveState.get().is !== 'connecting') return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      if (liveState.get().is === 'connecting' && performance.now() < deadline) return
      clearTimeout(timer)
      forget()
      resolve()
    }
    const deadline = performance.now() + PATIENCE_MS
    const timer = setTimeout(done, PATIENCE_MS + 1)
    const forget = liveState.follow(done)
  })
}

let hasReadWithoutStream = false

/** Notes that a request is sent while this tab receives no live events. */
export function noteRead(): void {
  if (!isLive()) hasReadWithoutStream = true
}

/** Whether data was read without the stream since the last call. A change of this data may have been missed. */
export function takeReadWithoutStream(): boolean {
  const had = hasReadWithoutStream
  hasReadWithoutStream = false
  return had
}
