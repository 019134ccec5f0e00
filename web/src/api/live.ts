/**
 * One event stream for all tabs of a browser. The tab that holds a lock reads the stream and passes its messages on to
 * the other tabs. When this tab closes, another tab gets the lock. It continues after the last event that it received,
 * so no event is missed.
 */
import type { FeedConnection, FeedMessage } from '../../../src/client/index.ts'
import { client } from './client.ts'
import { isSignedOut } from './errors.ts'
import type { LiveMessage } from './live-messages.ts'
import { leadsValue, liveState, stateAfter } from './live-state.ts'
import type { LiveState } from './live-state.ts'

const NAME = 'muster-live'

/** The longest wait before a reconnect. It is short, because a person is looking at the page. */
const RETRY_MS = 3_000

export interface Live {
  stop(): void
}

/** Starts to receive events. `onMessage` gets each event, output and resync once, in order. */
export function startLive(onMessage: (message: FeedMessage) => void): Live {
  const channel = new BroadcastChannel(NAME)
  const stop = new AbortController()
  let cursor: string | null = null

  const tell = (message: LiveMessage): void => channel.postMessage(message)
  const tellState = (): void => tell({ type: 'state', state: liveState.get(), cursor })
  const take = (message: FeedMessage): void => {
    if ('cursor' in message) ({ cursor } = message)
    onMessage(message)
  }
  const setState = (state: LiveState): void => {
    if (liveState.get() === state) return
    liveState.set(state)
    tellState()
  }
  const onConnection = (connection: FeedConnection): void => {
    if (connection.state === 'open' && cursor === null) ({ cursor } = connection)
    setState(stateAfter(liveState.get(), connection, Date.now()))
  }

  channel.onmessage = ({ data }: MessageEvent<LiveMessage>) => {
    if (data.type === 'ask') {
      if (leadsValue.get()) tellState()
    } else if (data.type !== 'state') take(data)
    // A tab that has just become the leader may have an older cursor than this tab.
    else if (data.state.is !== 'connecting') {
      cursor ??= data.cursor
      liveState.set(data.state)
    }
  }

  const lead = async (): Promise<void> => {
    leadsValue.set(true)
    const filter = { output: true, ...(cursor !== null && { after: cursor }) }
    try {
      for await (const message of client.events(filter, {
        signal: stop.signal,
        onConnection,
        mostRetryMs: RETRY_MS,
      })) {
        tell(message)
        take(message)
      }
    } catch (error) {
      // The feed ends only when the server refuses it with a final error.
      setState(isSignedOut(error) ? { is: 'signed_out' } : { is: 'lost', since: Date.now() })
    } finally {
      leadsValue.set(false)
    }
  }

  tell({ type: 'ask' })
  navigator.locks.request(NAME, { signal: stop.signal }, lead).catch(() => {
    // This tab was closed while it waited for the lock.
  })
  return {
    stop() {
      stop.abort()
      channel.close()
    },
  }
}
