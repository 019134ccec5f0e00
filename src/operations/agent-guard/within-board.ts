import { BoardError } from '../../core/errors.ts'
import type { Store } from '../../storage/store.ts'
import { overlay } from '../../util/objects.ts'

/** Limits the store to the cards of one board. Core decides which of these cards an agent may change, and how. */
export function withinBoard(store: Store, board: string): Store {
  return overlay(store, {
    decide: async (command) =>
      command.board === board ? store.decide(command) : { ok: false, error: elsewhere(command.board) },
    tasksByPrefix: (prefix, options) => store.tasksByPrefix(prefix, { ...options, board }),
  })
}

const elsewhere = (board: string): BoardError =>
  new BoardError('not_allowed', `You can only change cards of your own board, not of ${board}.`, {
    details: { board },
  })
