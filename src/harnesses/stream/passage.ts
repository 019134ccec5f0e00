/** The parts of a readable transcript, the same for every program. Unreadable lines are only counted. */
import type { Failure, Usage } from './entry.ts'

export type Passage =
  /** The agent started, with its briefing or with a message in the same session. */
  | { readonly kind: 'turn'; readonly turn: number; readonly session: string }
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'called'; readonly tool: string; readonly input: unknown }
  | { readonly kind: 'returned'; readonly ok: boolean; readonly text: string }
  | { readonly kind: 'changed'; readonly path: string }
  /** The usage of one turn. */
  | { readonly kind: 'used'; readonly usage: Usage }
  /** The program hit a limit and retries. */
  | { readonly kind: 'waits'; readonly cause: Failure['kind']; readonly message: string }
  | { readonly kind: 'failed'; readonly cause: Failure['kind']; readonly message: string }
  /** Text for people, with its newlines. `aside` marks a line that the program printed beside its stream. */
  | { readonly kind: 'printed'; readonly text: string; readonly aside?: true }
  /** Bytes that are missing in the log. */
  | { readonly kind: 'omitted'; readonly bytes: number }
  /** The number of unknown lines, as the last passage. */
  | { readonly kind: 'unknown'; readonly lines: number }
