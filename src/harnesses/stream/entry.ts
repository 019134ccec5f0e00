/** The common form of agent output: each adapter turns the lines of its program into these entries. */
import type { Run } from '../../core/run.ts'

export type Usage = NonNullable<Run['usage']>

/**
 * The part of the work that an amount of usage covers. A `step` adds to the steps before it. A `turn` is the total of this
 * turn so far. A `session` is the total of the whole conversation, earlier turns included.
 */
export type UsageSpan = 'step' | 'turn' | 'session'

/** Why an agent could not continue, as its program reported it. */
export interface Failure {
  readonly kind: 'rate_limited' | 'billing' | 'auth' | 'context_overflow' | 'permission' | 'turn_limit' | 'other'
  readonly message: string
  /** When to retry, if the program reported a time. */
  readonly retryAt: number | null
}

export type Entry =
  /** The program's own id of the conversation, needed to resume it. */
  | { readonly kind: 'session'; readonly id: string }
  /** The model has begun to answer. */
  | { readonly kind: 'answers' }
  /** If `isContinuation` is true, the text belongs to the message before it. */
  | { readonly kind: 'said'; readonly text: string; readonly isContinuation?: boolean }
  | {
      readonly kind: 'called'
      readonly tool: string
      readonly input: unknown
      /** The file that the call changes, and the id under which its result is reported. */
      readonly changes?: { readonly path: string; readonly call: string } | undefined
    }
  /** `call` is the id of the call, if there is one. */
  | { readonly kind: 'returned'; readonly ok: boolean; readonly text: string; readonly call?: string | undefined }
  | { readonly kind: 'changed'; readonly path: string }
  | { readonly kind: 'usage'; readonly usage: Usage; readonly of: UsageSpan }
  /** The program hit a limit and retries. */
  | { readonly kind: 'waits'; readonly failure: Failure }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Reads one line; an unknown line gives no entries, and stays in the log. */
export type ReadLine = (line: string) => readonly Entry[]
