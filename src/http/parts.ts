/** What the routes of the server share. */
import type { ServeTarget } from '../operations/machine/server-port.ts'
import type { TokenView } from '../operations/tokens/views.ts'
import type { Place } from './place.ts'
import type { Attempts } from './sign-in/attempts.ts'
import type { Links } from './sign-in/links.ts'
import type { OpenStreams } from './sign-in/open-streams.ts'

/** The caller of a request: its token or session. */
export type Caller = TokenView

export interface HttpParts {
  readonly target: ServeTarget
  readonly place: Place
  readonly links: Links
  readonly attempts: Attempts
  readonly streams: OpenStreams
  /** Signs one-time links and downloads. */
  readonly key: string
  /** When the use of each token was last recorded, on the clock of this process. */
  readonly usedAt: Map<string, number>
  /** Aborts when the server stops, so that streams end. */
  readonly stopping: AbortSignal
}

export interface HttpEnv {
  readonly Variables: { caller: Caller }
  readonly Bindings: {
    readonly incoming?: { readonly socket: { readonly remoteAddress?: string; destroy(): unknown } }
  }
}
