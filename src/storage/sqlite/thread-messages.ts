/** The messages between a process and its store thread. */
import type { OpenOptions } from '../open.ts'
import type { Store } from '../store.ts'
import type { PackedError } from '../../util/packed-error.ts'

/** The data that a store thread gets at its start. */
export interface ThreadSetup {
  readonly path: string
  readonly mode: OpenOptions['mode']
}

/** Methods whose arguments and results are plain values. */
export type PlainMethod = Exclude<keyof Store, 'engine' | 'engineVersion' | 'watch' | 'exportPages' | 'close'>

export type ThreadRequest =
  | { readonly id: number; readonly ask: PlainMethod; readonly with: readonly unknown[] }
  /** A request for changes. After `watch`, the thread sends every change as an answer whose id is `watch`. */
  | { readonly id: number; readonly ask: 'watch' | 'unwatch'; readonly watch: number }
  | { readonly id: number; readonly ask: 'export'; readonly progress: SharedArrayBuffer }
  | { readonly id: number; readonly ask: 'close'; readonly exiting: boolean }

export type ThreadAnswer =
  | { readonly id: number; readonly is: 'value'; readonly value: unknown }
  /** A refused decision: a result that contains an error. */
  | { readonly id: number; readonly is: 'refusal'; readonly error: PackedError }
  | { readonly id: number; readonly is: 'failure'; readonly error: PackedError }
  /** An answer before the last one: a page of an export, or a change for a watcher. */
  | { readonly id: number; readonly is: 'page'; readonly table: string; readonly rows: readonly never[] }
  | { readonly id: number; readonly is: 'change' }

/** The id of the first answer, which reports that the store is open. */
export const OPENED = 0

/**
 * The position of the page counter in the shared progress of an export. The next position shows whether the reader
 * cancelled the export.
 */
export const TAKEN = 0
export const GIVEN_UP = 1
/** The maximum number of unread pages of an export. Without a limit, the whole store could fill the memory. */
export const PAGES_AHEAD = 4
