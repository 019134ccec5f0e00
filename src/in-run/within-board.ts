import { BoardError } from '../core/errors.ts'
import type { Store } from '../storage/store.ts'
import { overlay } from '../util/overlay.ts'

/**
 * The store as a run may use it: ids name cards of its own board, and nothing is written to another. Core decides what
 * a worker may do to a card; which cards it can mean at all is decided here.
 */
export function withinBoard(store: Store, board: string): Store {
  return overlay(store, {
    decide: async (command) =>
      command.board === board ? store.decide(command) : { ok: false, error: elsewhere(command.board) },
    tasksByPrefix: (prefix, options) => store.tasksByPrefix(prefix, { ...options, board }),
  })
}

const elsewhere = (board: string): BoardError =>
  new BoardError('not_allowed', `A worker may change only cards of its own board, not of ${board}.`, {
    details: { board },
  })
