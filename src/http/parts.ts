/** The objects that all routes of the server share. */
import type { ServeTarget } from '../operations/machine/server-port.ts'
import type { Revision } from '../storage/store.ts'
import type { TokenView } from '../operations/tokens/views.ts'
import type { BodyBudget } from './body-budget.ts'
import type { Place } from './place.ts'
import type { Attempts } from './sign-in/attempts.ts'
import type { Links } from './sign-in/links.ts'
import type { OpenStreams } from './sign-in/open-streams.ts'
import type { Site } from './site/read-site.ts'

/** The caller of a request: its token or session. */
export type Caller = TokenView

export interface HttpParts {
  readonly target: ServeTarget
  readonly place: Place
  readonly links: Links
  readonly attempts: Attempts
  readonly streams: OpenStreams
  readonly bodies: BodyBudget
  /** The files of the dashboard. */
  readonly site: Site
  /** The key that signs one-time links and downloads. */
  readonly key: string
  /** The time at which the use of each token was last recorded, by the clock of this process. */
  readonly usedAt: Map<string, number>
  /** A signal that aborts when the server stops, so that streams end. */
  readonly stopping: AbortSignal
}

export interface HttpEnv {
  readonly Variables: {
    caller: Caller
    /** The revision of the store at which the caller was valid. Null means that the request did not need it. */
    revision: Revision | null
  }
  readonly Bindings: {
    readonly incoming?: { readonly socket: { readonly remoteAddress?: string; destroy(): unknown } }
  }
}
