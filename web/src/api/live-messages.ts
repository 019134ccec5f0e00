/** The messages that the tab that reads the event stream sends to the other tabs. */
import type { EventView, FeedMessage } from '../../../src/client/index.ts'
import type { LiveState } from './live-state.ts'

export type FeedEvent = EventView

export type LiveMessage =
  | FeedMessage
  /**
   * The state of the connection, sent after each change and as the answer to `ask`. `cursor` is the last position that
   * the tab has reached.
   */
  | { readonly type: 'state'; readonly state: LiveState; readonly cursor: string | null }
  /** The request of a new tab for the state. */
  | { readonly type: 'ask' }
