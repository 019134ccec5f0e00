import { BoardError } from '../../core/errors.ts'
import { isTaskId } from '../../core/ids.ts'
import type { TaskId } from '../../core/ids.ts'

/** Ids that are said of a card, not looked up: one that is nobody's is for core to refuse. */
export const wholeIds = (typed: readonly string[]): TaskId[] =>
  typed.map((id) => {
    if (isTaskId(id)) return id
    throw new BoardError('invalid_input', `${id} is no id of a card: give it whole, as t_ and ten characters.`, {
      details: { id },
    })
  })
