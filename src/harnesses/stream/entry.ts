/** The common form of agent output. Each adapter turns the lines of its program into these entries. */
import type { Run } from '../../core/run.ts'

export type Usage = Omit<NonNullable<Run['usage']>, 'judge'>

/**
 * The part of the work to which a usage report belongs. The report of a `step` is added to the steps before. The report
 * of a `turn` is the total of this turn so far. The report of a `session` is the total of the whole conversation,
 * including earlier turns.
 */
export type UsageSpan = 'step' | 'turn' | 'session'

/** Why an agent could not continue, as its program reported it. */
export interface Failure {
  readonly kind: 'rate_limited' | 'billing' | 'auth' | 'context_overflow' | 'permission' | 'turn_limit' | 'other'
  readonly message: string
  /** The time of the retry. Null means that the program reported no time. */
  readonly retryAt: number | null
}

/** A replaced text. */
export interface TextEdit {
  readonly before: string
  readonly after: string
}

export type Entry =
  /** The program's own id of the conversation, with which the conversation can be resumed. */
  | { readonly kind: 'session'; readonly id: string }
  /** The model has begun to answer. */
  | { readonly kind: 'answers' }
  /** If `isContinuation` is true, the text continues the message before. */
  | { readonly kind: 'said'; readonly text: string; readonly isContinuation?: boolean }
  | {
      readonly kind: 'called'
      readonly tool: string
      readonly input: unknown
      /** The id under which the result is reported. Absent means that the program reported no id. */
      readonly call?: string | undefined
      /** The file that the call changes, and the id under which its result is reported. */
      readonly changes?: { readonly path: string; readonly call: string } | undefined
    }
  /**
   * `call` is the id of the call, if the program reported an id. `exitCode` is the exit code of a command that the
   * agent ran.
   */
  | {
      readonly kind: 'returned'
      readonly ok: boolean
      readonly text: string
      readonly call?: string | undefined
      readonly exitCode?: number | undefined
    }
  /** `edit` is the file before and after the change, if the program reported it. */
  | { readonly kind: 'changed'; readonly path: string; readonly edit?: TextEdit | undefined }
  | { readonly kind: 'usage'; readonly usage: Usage; readonly of: UsageSpan }
  /** The program hit a limit and retries. */
  | { readonly kind: 'waits'; readonly failure: Failure }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Parses one line of output. An unknown line gives no entries, but stays in the log. */
export type ReadLine = (line: string) => readonly Entry[]
