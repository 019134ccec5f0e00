/** What a log tells a reader, whichever program wrote it. Its lines become these; what is no line of a story is counted. */
import type { Failure, Usage } from './entry.ts'

export type Passage =
  /** The agent was started, or started again in the same session: with its briefing, or to be told something. */
  | { readonly kind: 'turn'; readonly turn: number; readonly session: string }
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'called'; readonly tool: string; readonly input: unknown }
  | { readonly kind: 'returned'; readonly ok: boolean; readonly text: string }
  | { readonly kind: 'changed'; readonly path: string }
  /** Of one turn. */
  | { readonly kind: 'used'; readonly usage: Usage }
  /** It met a limit and tries again by itself. */
  | { readonly kind: 'waits'; readonly cause: Failure['kind']; readonly message: string }
  | { readonly kind: 'failed'; readonly cause: Failure['kind']; readonly message: string }
  /** Text that was printed for people, with its line ends. */
  | { readonly kind: 'printed'; readonly text: string }
  /** So much is not in the log any more. */
  | { readonly kind: 'omitted'; readonly bytes: number }
  /** Comes last: how many lines said nothing that is known here. */
  | { readonly kind: 'unknown'; readonly lines: number }
