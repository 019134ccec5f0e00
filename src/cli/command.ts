/**
 * The definition of commands: the arguments and flags, how they become the input of an operation, and the text of the
 * output. The manifest is generated from these definitions. Help, completion and the reference read the manifest.
 */
import type { Published } from '../operations/shared/operation.ts'
import type { Invocation } from './invocation.ts'
import type { StoreNeeds } from './store-access.ts'
import type { Completes, CommandGroup, CommandEntry } from './manifest-entry.ts'
import type { World } from './world.ts'

interface Described {
  /** The description of the argument or flag. The default is the description of the field in the operation's input. */
  readonly describe?: string | undefined
  /** A shorter text for help. */
  readonly brief?: string
  readonly completes?: Completes
  /** The only valid values. */
  readonly choices?: readonly string[]
  /** The field of the operation's input that the argument fills, if the field has another name. */
  readonly field?: string
}

type Read<T> = (given: readonly string[], world: Pick<World, 'readStdin' | 'now'>) => T | Promise<T>

/**
 * A positional argument. Only the last argument may have several values: `any` number of values, or `many` (at least
 * one).
 */
export interface Arg<T> extends Described {
  readonly arity: 'one' | 'optional' | 'many' | 'any'
  readonly read: Read<T>
}

export interface Flag<T> extends Described {
  /** The placeholder of the flag's value in help. This is null for a switch. */
  readonly value: string | null
  /** Whether a switch also accepts a value after `=`. */
  readonly acceptsValue?: boolean
  /** Whether the flag is accepted but not listed in help. */
  readonly hidden?: boolean
  readonly repeatable: boolean
  /** Parses the typed values. If the flag is not repeatable, only the last value counts. */
  readonly read: Read<T>
}

type Args = Readonly<Record<string, Arg<unknown>>>
type Flags = Readonly<Record<string, Flag<unknown>>>

type Given<A extends Args, F extends Flags> = {
  readonly [K in keyof A]: A[K] extends Arg<infer T> ? T : never
} & {
  readonly [K in keyof F]: F[K] extends Flag<infer T> ? (T extends boolean ? T : T | undefined) : never
}

export interface CliCommand<A extends Args = Args, F extends Flags = Flags> extends StoreNeeds {
  /** The name of the command: one or two words, as the user types them. The default is the name of the operation. */
  readonly name?: string
  readonly group: CommandGroup
  /** The operation that the command runs. This is null for a command about the command line itself. */
  readonly operation: Published | null
  /** The summary of the command. The default is the summary of the operation. */
  readonly summary?: string
  /** A shorter summary for the list of all commands, in which each command has one line. */
  readonly brief?: string
  readonly args?: A
  readonly flags?: F
  /** Fields of the operation's input that the command does not offer, with the reason. */
  readonly without?: Readonly<Record<string, string>>
  readonly examples: readonly string[]
  /** Other names of the command, such as `ls` for `list`, or `boards` for `boards list`. */
  readonly aliases?: readonly string[]
  run?(cli: Invocation, given: Given<A, F>): Promise<void>
  /**
   * Returns the output of a command that needs no store. Such a command has no `run`. It also works inside a run, and
   * when the data folder is damaged.
   */
  output?(
    given: Given<A, F>,
    manifest: readonly CommandEntry[],
    world: Pick<World, 'terminal'>,
  ): CommandOutput | Promise<CommandOutput>
}

/** The output as JSON and as text. */
export interface CommandOutput {
  readonly value: unknown
  readonly text: string
}

type With<V, K extends keyof V> = V & Required<Pick<V, K>>

export const defineCommand = <A extends Args = Record<never, never>, F extends Flags = Record<never, never>>(
  command: With<CliCommand<A, F>, 'run'>,
): CliCommand<A, F> => command

export const defineStandaloneCommand = <A extends Args = Record<never, never>, F extends Flags = Record<never, never>>(
  command: With<CliCommand<A, F>, 'output'>,
): CliCommand<A, F> => command

/** Makes the name of a flag: `maxRuntime` becomes `max-runtime`. */
export const flagName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
