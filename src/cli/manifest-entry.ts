/** What is known of a command without loading it. */

/** The chapters of help, in the order in which somebody new needs them. */
export const GROUPS = ['start', 'cards', 'look', 'steer', 'work', 'keep', 'more'] as const
export type Group = (typeof GROUPS)[number]

/** What a shell can offer when somebody presses Tab. */
export type Completes = 'card' | 'agent' | 'skill' | 'board' | 'setting' | 'command' | 'file' | 'atFile' | 'workspace'

interface WordEntry {
  readonly name: string
  readonly describe: string
  /** What help says of it instead, where room is scarce. */
  readonly brief?: string
  readonly choices?: readonly string[]
  readonly completes?: Completes
  /** The field of the operation's input that it fills, if the names differ. */
  readonly field?: string
}

export interface ArgEntry extends WordEntry {
  readonly arity: 'one' | 'optional' | 'many' | 'any'
}

export interface FlagEntry extends WordEntry {
  readonly value: string | null
  readonly repeatable: boolean
}

/** What it takes to find a command and run it. */
export interface CommandKey {
  /** One word, or two: `boards create`. */
  readonly name: string
  readonly aliases: readonly string[]
  readonly load: () => Promise<{ readonly command: object }>
}

export interface CommandEntry extends CommandKey {
  readonly group: Group
  readonly summary: string
  readonly args: readonly ArgEntry[]
  readonly flags: readonly FlagEntry[]
  readonly examples: readonly string[]
}
