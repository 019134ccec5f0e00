/**
 * Each thing a caller may do, defined once; the surfaces are projections of the table. Schemas are loaded only by
 * those who check or publish them: a read at the command line runs without the schema library.
 */
import type { z } from 'zod'
import type { Options } from '../config/load.ts'
import type { Actor } from '../core/actor.ts'
import type { Store } from '../storage/store.ts'
import type { DispatchPort } from './dispatch-port.ts'

export interface QueryContext {
  readonly store: Store
  readonly board: string
}

export interface CommandContext extends QueryContext {
  readonly actor: Actor
  readonly options: Options
}

/** For what belongs to this machine and not to the board: such an operation opens the store itself. */
export interface LocalContext {
  readonly options: Options
  readonly actor: Actor
  readonly openStore: (mode: 'create' | 'write' | 'read') => Promise<Store>
  readonly dispatcher: () => Promise<DispatchPort>
}

interface Contexts {
  readonly query: QueryContext
  readonly command: CommandContext
  readonly local: LocalContext
}

export interface Operation<Kind extends keyof Contexts, Input, Output> {
  readonly name: string
  readonly kind: Kind
  /** Who may ask: people only, or workers about their own card too. */
  readonly actor: 'person' | 'worker'
  readonly summary: string
  schemas(): Promise<{ readonly input: z.ZodType<Input>; readonly output: z.ZodType<Output> }>
  run(context: Contexts[Kind], input: Input): Promise<Output>
}

export const defineOperation = <Kind extends keyof Contexts, Input, Output>(
  operation: Operation<Kind, Input, Output>,
): Operation<Kind, Input, Output> => operation
