import { BoardError } from '../core/errors.ts'
import type { Store } from '../storage/store.ts'

/**
 * The store as agents may use it: ids name cards of one board, and nothing is written to another. Core decides what
 * they may do to a card; which cards they can mean at all is decided here.
 */
export function withinBoard(store: Store, board: string): Store {
  const narrowed: Pick<Store, 'decide' | 'tasksByPrefix'> = {
    decide: async (command) =>
      command.board === board ? store.decide(command) : { ok: false, error: elsewhere(command.board) },
    tasksByPrefix: (prefix, options) => store.tasksByPrefix(prefix, { ...options, board }),
  }
  return new Proxy(store, {
    get(whole, key): unknown {
      if (Object.hasOwn(narrowed, key)) return Reflect.get(narrowed, key)
      const member: unknown = Reflect.get(whole, key, whole)
      return typeof member === 'function' ? (member.bind(whole) as unknown) : member
    },
  })
}

const elsewhere = (board: string): BoardError =>
  new BoardError('not_allowed', `Only cards of your own board can be changed from here, not of ${board}.`, {
    details: { board },
  })
