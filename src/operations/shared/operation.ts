/**
 * The definition of operations. An operation is one action that a caller may take. Command line, tools and
 * documentation are generated from these definitions.
 */
import type * as z from 'zod'
import type { Environment } from '../../config/environment.ts'
import type { Options } from '../../config/load.ts'
import type { Actor } from '../../core/actor.ts'
import type { BoardError } from '../../core/errors.ts'
import type { TokenScope } from '../../core/token.ts'
import type { Store } from '../../storage/store.ts'
import type { CheckPort } from '../../supervisor/checks/port.ts'
import type { DispatchPort, PassListener } from '../machine/dispatch-port.ts'
import type * as kit from './schema-kit.ts'

/** The context of an operation on a board. For a query, the store is read-only. */
export interface BoardContext {
  readonly store: Store
  readonly board: string
  readonly actor: Actor
  readonly options: Options
  /** Called when the change is stored and only waits for the end of a run. */
  readonly onPending?: () => void
  /** Makes a signal that aborts when the caller no longer waits for the answer. */
  readonly callerGone?: () => AbortSignal
  /** Runs checks. Without a checker, a person cannot complete a card that has checks. */
  readonly checker?: () => Promise<CheckPort>
  /** The token or session of a caller over HTTP, and the version of the server. */
  readonly caller?: { readonly name: string; readonly scope: TokenScope; readonly version: string }
}

export interface StreamContext extends BoardContext {
  /** The signal that ends the stream. */
  readonly signal: AbortSignal
  /** Called with an error when the store does not respond. The call has null when the store responds again. */
  readonly onTrouble?: (error: BoardError | null) => void
  /** Called when the stream has no value to yield yet. The sentence explains the wait. */
  readonly onWait?: (what: string) => void
}

/**
 * The context of an operation that works on this machine and not on a board. Such an operation opens the store itself.
 */
export interface LocalContext {
  readonly options: Options
  /** The environment variables, which locate and configure programs. */
  readonly env: Environment
  readonly actor: Actor
  readonly openStore: (mode: 'create' | 'write' | 'read') => Promise<Store>
  readonly dispatcher: () => Promise<DispatchPort>
  /** Whether the process exits after the operation. Then a store is closed without a clean-up. */
  readonly endsAfter?: boolean
  /** Receives the progress of a pass. */
  readonly passListener?: PassListener
  /** The command that starts the command line of Muster from any folder. */
  readonly commandLine?: readonly string[]
  /** The signal that cancels the operation. */
  readonly signal?: AbortSignal
  /** Reports the progress of a long operation in a sentence. */
  readonly onProgress?: (text: string) => void
}

/** The kinds of operations, each with the type of its context. */
interface Contexts {
  /** An operation that only reads and changes nothing, not even a file. */
  readonly query: BoardContext
  readonly command: BoardContext
  /** A command that gets a file by the absolute path of the file. The file helper reads the file. */
  readonly transfer: BoardContext
  /** An operation that yields values until its signal aborts. */
  readonly stream: StreamContext
  readonly local: LocalContext
}

type Kinds = keyof Contexts

type FileArgument<Kind extends Kinds> = Kind extends 'transfer' ? [path: string] : []

type Result<Kind extends Kinds, Output> = Kind extends 'stream' ? AsyncIterable<Output> : Promise<Output>

/** The schema kit. The first call of `schemas` loads it, so that a command that needs no schema starts without zod. */
export type SchemaKit = typeof kit

interface Schemas<Input, Output> {
  readonly input: z.ZodType<Input>
  readonly output: z.ZodType<Output>
}

interface Common<Kind extends Kinds, Input, Output> {
  readonly name: string
  readonly kind: Kind
  /**
   * The callers that may use the operation. `person` means only people, `orchestrator` adds orchestrators, and `worker`
   * adds all agents. Core decides which cards an agent may change.
   */
  readonly actor: 'person' | 'orchestrator' | 'worker'
  /** Whether the operation works on one card, a board, the whole store, or this machine. */
  readonly scope: 'card' | 'board' | 'store' | 'machine'
  readonly summary: string
  readonly run: (context: Contexts[Kind], input: Input, ...file: FileArgument<Kind>) => Result<Kind, Output>
}

export interface Operation<Kind extends Kinds, Input, Output> extends Common<Kind, Input, Output> {
  schemas(): Promise<Schemas<Input, Output>>
}

/** The definition in an operation file. `schemas` builds the schemas of input and output from the kit. */
interface Definition<Kind extends Kinds, Input, Output> extends Common<Kind, Input, Output> {
  readonly schemas: (kit: SchemaKit) => Schemas<Input, Output> | Promise<Schemas<Input, Output>>
}

type AnySchemas = Schemas<unknown, unknown>

/** The part of an operation that describes it to callers. */
export interface Published {
  readonly name: string
  readonly summary: string
  schemas(): Promise<AnySchemas>
}

/** The type of the input of an operation's `run`. */
export type OperationInput<O> = O extends { run: (context: never, input: infer Input) => unknown } ? Input : never

/** The input type of a schema function that is defined outside its operation. */
export type InputOf<S extends (kit: SchemaKit) => AnySchemas> = z.infer<ReturnType<S>['input']>
export type OutputOf<S extends (kit: SchemaKit) => AnySchemas> = z.infer<ReturnType<S>['output']>

export function defineOperation<Kind extends Kinds, Input, Output>(
  definition: Definition<Kind, Input, Output>,
): Operation<Kind, Input, Output> {
  // Building the schemas takes longer than checking an input with them, so a server builds them only once.
  let built: Promise<Schemas<Input, Output>> | null = null
  return {
    ...definition,
    schemas: () => (built ??= import('./schema-kit.ts').then((kit) => definition.schemas(kit))),
  }
}
