/** What an agent's program prints, in the words of the board. Each harness reads its own program's lines into these. */
import type { Run } from '../../core/run.ts'

export type Usage = NonNullable<Run['usage']>

/**
 * What an amount of usage covers. A `step` adds to the steps before it. A `turn` is the total of this turn so far. A
 * `session` is the total of the whole conversation, earlier turns included.
 */
export type UsageSpan = 'step' | 'turn' | 'session'

/** What kept an agent from going on, as its program told it. Typed: nothing is decided by prose. */
export interface Failure {
  readonly kind: 'rate_limited' | 'billing' | 'auth' | 'context_overflow' | 'permission' | 'turn_limit' | 'other'
  readonly message: string
  /** When it may be tried again, where that was said. */
  readonly retryAt: number | null
}

export type Entry =
  /** The program's own name for the conversation, with which it can be resumed. */
  | { readonly kind: 'session'; readonly id: string }
  /** The model has begun to answer. */
  | { readonly kind: 'answers' }
  /** `goesOn`: it continues what was said just before. */
  | { readonly kind: 'said'; readonly text: string; readonly goesOn?: boolean }
  | {
      readonly kind: 'called'
      readonly tool: string
      readonly input: unknown
      /** The file that it changes, where the call is one that does, and by what name it is told how that went. */
      readonly changes?: { readonly path: string; readonly call: string } | undefined
    }
  /** `call`: its name, where it has one. */
  | { readonly kind: 'returned'; readonly ok: boolean; readonly text: string; readonly call?: string | undefined }
  | { readonly kind: 'changed'; readonly path: string }
  | { readonly kind: 'usage'; readonly usage: Usage; readonly of: UsageSpan }
  /** It met a limit and tries again by itself. */
  | { readonly kind: 'waits'; readonly failure: Failure }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** What a line says; nothing where it is not known. It stays in the log whatever it is. */
export type ReadLine = (line: string) => readonly Entry[]
