/** The types of command descriptions, which can be read without loading the commands. */

/** The groups of help, in the order in which a new user needs them. */
export const GROUPS = ['start', 'cards', 'look', 'steer', 'work', 'keep', 'more'] as const
export type CommandGroup = (typeof GROUPS)[number]

/** The kind of candidates that shell completion offers. */
export type Completes = 'card' | 'agent' | 'skill' | 'board' | 'setting' | 'command' | 'file' | 'atFile' | 'workspace'

interface InputEntry {
  readonly name: string
  readonly describe: string
  /** A shorter text for help. */
  readonly brief?: string
  readonly choices?: readonly string[]
  readonly completes?: Completes
  /** The field of the operation's input that the argument fills, if the field has another name. */
  readonly field?: string
}

export interface ArgEntry extends InputEntry {
  readonly arity: 'one' | 'optional' | 'many' | 'any'
}

export interface FlagEntry extends InputEntry {
  readonly value: string | null
  /** Whether a switch also accepts a value after `=`. */
  readonly acceptsValue?: boolean
  /** Whether the flag is accepted but not listed in help. */
  readonly hidden?: boolean
  readonly repeatable: boolean
}

/** The part of a command's description that is enough to find and run the command. */
export interface CommandKey {
  /** The name of the command: one or two words, such as `boards create`. */
  readonly name: string
  readonly aliases: readonly string[]
  readonly load: () => Promise<{ readonly command: object }>
}

export interface CommandEntry extends CommandKey {
  readonly group: CommandGroup
  readonly summary: string
  /** A shorter summary for the list of all commands. */
  readonly brief?: string
  readonly args: readonly ArgEntry[]
  readonly flags: readonly FlagEntry[]
  readonly examples: readonly string[]
}
