/** An operation is one thing that a caller may do. Command line, tools and documentation are generated from it. */
import type * as z from 'zod'
import type { Environment } from '../../config/environment.ts'
import type { Options } from '../../config/load.ts'
import type { Actor } from '../../core/actor.ts'
import type { BoardError } from '../../core/errors.ts'
import type { Store } from '../../storage/store.ts'
import type { CheckPort } from '../../supervisor/checks/port.ts'
import type { DispatchPort, PassListener } from '../machine/dispatch-port.ts'
import type * as kit from './schema-kit.ts'

/** The context of an operation on a board. The store of a query is read-only. */
export interface BoardContext {
  readonly store: Store
  readonly board: string
  readonly actor: Actor
  readonly options: Options
  /** Called when the change is stored and waits only for the end of a live run. */
  readonly onPending?: () => void
  /** Runs checks; without it, a person cannot complete a card that has checks. */
  readonly checker?: () => Promise<CheckPort>
}

export interface StreamContext extends BoardContext {
  /** Ends the stream. */
  readonly signal: AbortSignal
  /** Called with an error when the store does not respond and is retried, and with null when it responds again. */
  readonly onTrouble?: (error: BoardError | null) => void
  /** Called when there is nothing to yield yet, with a sentence that explains the wait. */
  readonly onWait?: (what: string) => void
}

/** For operations on this machine, not on a board. They open the store themselves. */
export interface LocalContext {
  readonly options: Options
  /** The variables that locate and configure programs. */
  readonly env: Environment
  readonly actor: Actor
  readonly openStore: (mode: 'create' | 'write' | 'read') => Promise<Store>
  readonly dispatcher: () => Promise<DispatchPort>
  /** Receives the progress of a pass. */
  readonly passListener?: PassListener
  /** The program and first arguments that start the command line from any folder. */
  readonly commandLine?: readonly string[]
  /** Cancels the operation. */
  readonly signal?: AbortSignal
  /** Reports the progress of a long operation, in a sentence. */
  readonly onProgress?: (text: string) => void
}

/** The kinds of operation, with the context that each gets. */
interface Contexts {
  /** Reads; changes nothing, not even a file. */
  readonly query: BoardContext
  readonly command: BoardContext
  /** A command that takes a file, named by its absolute path. The file helper reads it. */
  readonly transfer: BoardContext
  /** Yields values until its signal ends it. */
  readonly stream: StreamContext
  readonly local: LocalContext
}

type Kinds = keyof Contexts

type FileArgument<Kind extends Kinds> = Kind extends 'transfer' ? [path: string] : []

type Result<Kind extends Kinds, Output> = Kind extends 'stream' ? AsyncIterable<Output> : Promise<Output>

/** Loaded by the first call of `schemas`, so that a command that needs no schema starts without zod. */
export type SchemaKit = typeof kit

interface Schemas<Input, Output> {
  readonly input: z.ZodType<Input>
  readonly output: z.ZodType<Output>
}

interface Common<Kind extends Kinds, Input, Output> {
  readonly name: string
  readonly kind: Kind
  /**
   * The callers that may use the operation: `person` means only people, `orchestrator` adds orchestrators, and `worker`
   * adds all agents. Core decides which cards an agent may change.
   */
  readonly actor: 'person' | 'orchestrator' | 'worker'
  /** Whether the operation concerns one card, a board, the whole store, or this machine. */
  readonly scope: 'card' | 'board' | 'store' | 'machine'
  readonly summary: string
  readonly run: (context: Contexts[Kind], input: Input, ...file: FileArgument<Kind>) => Result<Kind, Output>
}

export interface Operation<Kind extends Kinds, Input, Output> extends Common<Kind, Input, Output> {
  schemas(): Promise<Schemas<Input, Output>>
}

/** The definition in an operation file. `schemas` builds the input and the output schema from the kit. */
interface Definition<Kind extends Kinds, Input, Output> extends Common<Kind, Input, Output> {
  readonly schemas: (kit: SchemaKit) => Schemas<Input, Output> | Promise<Schemas<Input, Output>>
}

type AnySchemas = Schemas<unknown, unknown>

/** The part of an operation that callers need to describe it. */
export interface Published {
  readonly name: string
  readonly summary: string
  schemas(): Promise<AnySchemas>
}

/** The type of the input that `run` of an operation takes. */
export type OperationInput<O> = O extends { run: (context: never, input: infer Input) => unknown } ? Input : never

/** The types of a schema function that is defined outside its operation. */
export type InputOf<S extends (kit: SchemaKit) => AnySchemas> = z.infer<ReturnType<S>['input']>
export type OutputOf<S extends (kit: SchemaKit) => AnySchemas> = z.infer<ReturnType<S>['output']>

export const defineOperation = <Kind extends Kinds, Input, Output>(
  definition: Definition<Kind, Input, Output>,
): Operation<Kind, Input, Output> => ({
  ...definition,
  schemas: async () => definition.schemas(await import('./schema-kit.ts')),
})
