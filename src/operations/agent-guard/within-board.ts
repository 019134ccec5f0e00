import { BoardError } from '../../core/errors.ts'
import type { Store } from '../../storage/store.ts'
import { overlay } from '../../util/overlay.ts'

/**
 * The store as agents may use it: ids name cards of one board, and nothing is written to another. Core decides what
 * they may do to a card; which cards they can mean at all is decided here.
 */
export function withinBoard(store: Store, board: string): Store {
  return overlay(store, {
    decide: async (command) =>
      command.board === board ? store.decide(command) : { ok: false, error: elsewhere(command.board) },
    tasksByPrefix: (prefix, options) => store.tasksByPrefix(prefix, { ...options, board }),
  })
}

const elsewhere = (board: string): BoardError =>
  new BoardError('not_allowed', `Only cards of your own board can be changed from here, not of ${board}.`, {
    details: { board },
  })
