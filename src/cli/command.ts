/**
 * A command of the command line: which words and flags it takes, and how they become the input of an operation and its
 * answer a sentence. What its file says is also the source of the manifest: help, completion and the reference.
 */
import type { Published } from '../operations/shared/operation.ts'
import type { Invocation } from './invocation.ts'
import type { StoreNeeds } from './store-access.ts'
import type { Completes, Group, CommandEntry } from './manifest-entry.ts'
import type { World } from './world.ts'

interface Described {
  /** Left out, it is what the operation's input says of the field of this name. */
  readonly describe?: string | undefined
  /** What help says of it instead, where room is scarce. */
  readonly brief?: string
  readonly completes?: Completes
  /** The only values it takes. */
  readonly choices?: readonly string[]
  /** The field of the operation's input that it fills, where the names differ. */
  readonly field?: string
}

type Read<T> = (given: readonly string[], world: Pick<World, 'readStdin' | 'now'>) => T | Promise<T>

/** Words that are no flags. Only the last one may take several: `any` of them, or `many` and at least one. */
export interface Arg<T> extends Described {
  readonly arity: 'one' | 'optional' | 'many' | 'any'
  readonly read: Read<T>
}

export interface Flag<T> extends Described {
  /** How its value is called in help; null for a switch. */
  readonly value: string | null
  readonly repeatable: boolean
  /** Gets what was typed, once or more often; without `repeatable` only the last counts. */
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
  /** What a user types, one word or two. Left out, it is the name of the operation. */
  readonly name?: string
  readonly group: Group
  /** The operation it projects; null for what concerns the command line alone. */
  readonly operation: Published | null
  /** Needed where there is no operation; else for a command that does only part of what its operation can do. */
  readonly summary?: string
  readonly args?: A
  readonly flags?: F
  /** Names of flags that do not work yet, without dashes: they are refused and not listed. */
  readonly notYet?: readonly string[]
  /** Fields of the operation's input that the command line does not offer, each with the reason. */
  readonly without?: Readonly<Record<string, string>>
  readonly examples: readonly string[]
  /** Other names: `ls` for `list`, `boards` for `boards list`. */
  readonly aliases?: readonly string[]
  run?(cli: Invocation, given: Given<A, F>): Promise<void>
  /** Instead of `run`, for what concerns the command line alone: it works inside a run, and where the home is broken. */
  output?(
    given: Given<A, F>,
    manifest: readonly CommandEntry[],
    world: Pick<World, 'terminal'>,
  ): CommandOutput | Promise<CommandOutput>
}

/** An answer in both its forms. */
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

/** The input of an operation, for input that is made from a table of flags. */
export type InputOf<O> = O extends { run: (context: never, input: infer Input) => unknown } ? Input : never

/** As `--max-runtime` stands for `maxRuntime`. */
export const flagName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
