import type { Published } from '../operations/shared/operation.ts'
import type { StoreNeeds } from './store-access.ts'

/** The access to the board that a command needs, and the name and operation of the command. */
export interface CommandNeeds extends StoreNeeds {
  readonly name?: string
  /** The operation of the command. This is null for a command without an operation. */
  readonly operation?: Published | null
}
