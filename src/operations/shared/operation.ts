/**
 * Each thing a caller may do, defined once; the surfaces are projections of the table. Schemas are loaded only by
 * those who check or publish them: a read at the command line runs without the schema library.
 */
import type * as z from 'zod'
import type { Environment } from '../../config/environment.ts'
import type { Options } from '../../config/load.ts'
import type { Actor } from '../../core/actor.ts'
import type { BoardError } from '../../core/errors.ts'
import type { Store } from '../../storage/store.ts'
import type { CheckPort } from '../../supervisor/checks/port.ts'
import type { DispatchPort, PassListener } from '../machine/dispatch-port.ts'

/** What every operation on a board is given. A query's store is opened for reading only. */
export interface BoardContext {
  readonly store: Store
  readonly board: string
  readonly actor: Actor
  readonly options: Options
  /** Called when what was asked is on record, and only the end of a live run is waited for. */
  readonly onPending?: () => void
  /** Who can run checks here; without one, a card with checks cannot be finished by a person's word alone. */
  readonly checker?: () => Promise<CheckPort>
}

export interface StreamContext extends BoardContext {
  /** Ends the stream. */
  readonly signal: AbortSignal
  /** Told when the store does not answer and is asked again; null: it answers. */
  readonly onTrouble?: (error: BoardError | null) => void
  /** Told when there is nothing to give yet, in a sentence: what is waited for. */
  readonly onWait?: (what: string) => void
}

/** For what belongs to this machine and not to the board: such an operation opens the store itself. */
export interface LocalContext {
  readonly options: Options
  /** Where programs and folders are found, and what is set for them. */
  readonly env: Environment
  readonly actor: Actor
  readonly openStore: (mode: 'create' | 'write' | 'read') => Promise<Store>
  readonly dispatcher: () => Promise<DispatchPort>
  /** Who hears of a pass while it goes on. */
  readonly passListener?: PassListener
  /** What starts the command line from anywhere: a program and its first arguments. */
  readonly commandLine?: readonly string[]
  /** Ends what it does before its time. */
  readonly signal?: AbortSignal
  /** Reports the progress of a long operation, in a sentence. */
  readonly onProgress?: (text: string) => void
}

interface Runs<Input, Output> {
  /** Reads; changes nothing, not even a file. */
  readonly query: (context: BoardContext, input: Input) => Promise<Output>
  readonly command: (context: BoardContext, input: Input) => Promise<Output>
  /** A command that takes a file, named by its absolute path. The file helper reads it. */
  readonly transfer: (context: BoardContext, input: Input, path: string) => Promise<Output>
  /** Gives one value after another until its signal ends it. */
  readonly stream: (context: StreamContext, input: Input) => AsyncIterable<Output>
  readonly local: (context: LocalContext, input: Input) => Promise<Output>
}

export interface Operation<Kind extends keyof Runs<never, never>, Input, Output> {
  readonly name: string
  readonly kind: Kind
  /** Who may ask: people only, orchestrators too, or workers too. What these may change core decides, card by card. */
  readonly actor: 'person' | 'orchestrator' | 'worker'
  /** What it is about: one card, a board, the whole store, or this machine. */
  readonly scope: 'card' | 'board' | 'store' | 'machine'
  readonly summary: string
  schemas(): Promise<{ readonly input: z.ZodType<Input>; readonly output: z.ZodType<Output> }>
  readonly run: Runs<Input, Output>[Kind]
}

/** What is said of an operation to whoever only describes it. */
export interface Published {
  readonly name: string
  readonly summary: string
  schemas(): Promise<{ readonly input: z.ZodType; readonly output: z.ZodType }>
}

export const defineOperation = <Kind extends keyof Runs<never, never>, Input, Output>(
  operation: Operation<Kind, Input, Output>,
): Operation<Kind, Input, Output> => operation
