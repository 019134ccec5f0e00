/** What the two ends of a store thread say to each other. */
import type { OpenOptions } from '../open.ts'
import type { Store } from '../store.ts'
import type { PackedError } from '../../util/packed-error.ts'

/** What a thread is started with. */
export interface ThreadSetup {
  readonly path: string
  readonly mode: OpenOptions['mode']
}

/** Methods that hand over plain values and get plain values back. */
export type PlainMethod = Exclude<keyof Store, 'engine' | 'engineVersion' | 'watch' | 'exportPages' | 'close'>

export type Question =
  | { readonly id: number; readonly ask: PlainMethod; readonly with: readonly unknown[] }
  /** Every change from now on is told under the number of this question. */
  | { readonly id: number; readonly ask: 'watch' | 'unwatch'; readonly watch: number }
  | { readonly id: number; readonly ask: 'export'; readonly progress: SharedArrayBuffer }
  | { readonly id: number; readonly ask: 'close'; readonly exiting: boolean }

export type Answer =
  | { readonly id: number; readonly is: 'value'; readonly value: unknown }
  /** A decision that was refused: a result, with an error in it. */
  | { readonly id: number; readonly is: 'refusal'; readonly error: PackedError }
  | { readonly id: number; readonly is: 'failure'; readonly error: PackedError }
  /** Before the answer itself: a page of an export, or a change that somebody watches for. */
  | { readonly id: number; readonly is: 'page'; readonly table: string; readonly rows: readonly never[] }
  | { readonly id: number; readonly is: 'change' }

/** The thread has opened its store; comes once, under this number. */
export const OPENED = 0

/** Where an export stands: pages that were taken, and whether whoever takes them wants no more. */
export const TAKEN = 0
export const GIVEN_UP = 1
/** Pages that may be under way: the whole store must not pile up between the two. */
export const PAGES_AHEAD = 4
