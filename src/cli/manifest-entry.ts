/** What is known of a verb without loading it. */
import type { Completes, Group } from './verb.ts'

export interface ArgEntry {
  readonly name: string
  readonly arity: 'one' | 'optional' | 'many'
  readonly describe: string
  readonly completes?: Completes
}

export interface FlagEntry {
  readonly name: string
  readonly value: string | null
  readonly repeatable: boolean
  readonly describe: string
  readonly choices?: readonly string[]
  readonly completes?: Completes
}

export interface VerbEntry {
  /** One word, or two: `boards create`. */
  readonly name: string
  readonly aliases: readonly string[]
  readonly group: Group
  readonly summary: string
  readonly args: readonly ArgEntry[]
  readonly flags: readonly FlagEntry[]
  readonly examples: readonly string[]
  readonly load: () => Promise<{ readonly verb: object }>
}
