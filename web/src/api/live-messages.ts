/** The messages between the tabs of a browser. One tab reads the event stream and sends them to the other tabs. */
import type { EventView, FeedMessage } from '../../../src/client/index.ts'
import type { LiveState } from './live-state.ts'

export type FeedEvent = EventView

export type LiveMessage =
  | FeedMessage
  /**
   * The state of the connection. It is sent after each change, and as the answer to `ask`. `cursor` is the last
   * position in the event log.
   */
  | { readonly type: 'state'; readonly state: LiveState; readonly cursor: string | null }
  /** A new tab asks for the state. */
  | { readonly type: 'ask' }
