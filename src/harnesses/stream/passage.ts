/** The parts of a readable transcript, which are the same for every program. Unreadable lines are only counted. */
import type { Failure, TextEdit, Usage } from './entry.ts'

export type Passage =
  /** The agent started, with its briefing or with a message in the same session. */
  | { readonly kind: 'turn'; readonly turn: number; readonly session: string }
  | { readonly kind: 'said'; readonly text: string }
  /** `call` is the id that the program gave to the tool call. */
  | { readonly kind: 'called'; readonly tool: string; readonly input: unknown; readonly call?: string }
  | {
      readonly kind: 'returned'
      readonly ok: boolean
      readonly text: string
      readonly call?: string
      readonly exitCode?: number
    }
  /** `edit` is the file before and after the change, if the program reported it. */
  | { readonly kind: 'changed'; readonly path: string; readonly edit?: TextEdit }
  /** The usage of one turn. */
  | { readonly kind: 'used'; readonly usage: Usage }
  /** The program hit a limit and retries. */
  | { readonly kind: 'waits'; readonly cause: Failure['kind']; readonly message: string }
  | { readonly kind: 'failed'; readonly cause: Failure['kind']; readonly message: string }
  /** A text for people, with its newlines. `aside` marks a line that the program printed outside its stream. */
  | { readonly kind: 'printed'; readonly text: string; readonly aside?: true }
  /** The number of bytes that are missing in the log. */
  | { readonly kind: 'omitted'; readonly bytes: number }
  /** The last passage, which has the number of unknown lines. */
  | { readonly kind: 'unknown'; readonly lines: number }

/** A passage with its position in all output of the run: from the first byte to the byte after the last line. */
export interface PlacedPassage {
  readonly passage: Passage
  readonly from: number
  readonly to: number
}
