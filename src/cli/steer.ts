/** What commands on many cards share: which cards and why, and a line for each. */
import { BoardError } from '../core/errors.ts'
import type { TaskView } from '../storage/store.ts'
import type { Invocation } from './invocation.ts'
import { text } from './flags.ts'
import type { IdsAndReason } from './flags.ts'
import { answerMany, oneByOne } from './many.ts'
import { statusText } from './render/words.ts'
import type { Flag } from './command.ts'

/** Beside the ids in words, as scripts of the older board write them: `--ids t_4k2,t_8x1`. */
const moreIds: Flag<readonly string[]> = {
  value: '<ids>',
  describe: 'more cards, with commas between',
  repeatable: true,
  completes: 'card',
  field: 'task',
  read: (given) => given.flatMap((typed) => typed.split(/[\s,]+/)).filter((id) => id !== ''),
}

/** For commands whose reason the next run of the card reads. */
export const answerFlags = {
  reason: text('<text>', 'your answer or reason for the agent, if not after the ids'),
  ids: moreIds,
}

export const reasonFlags = { reason: text('<text>', 'why, if not in words after the ids'), ids: moreIds }

export function targetsOf(given: {
  readonly cards: IdsAndReason
  readonly reason: string | undefined
  readonly ids: readonly string[] | undefined
}): IdsAndReason {
  const { cards, reason, ids = [] } = given
  if (cards.reason !== null && reason !== undefined)
    throw new BoardError('invalid_input', 'Say why once: in words after the ids, or with --reason.')
  return { ids: [...cards.ids, ...ids], reason: reason ?? cards.reason }
}

/** Asks the same of each card; what is told afterwards was read, not assumed. */
export async function steer(
  cli: Invocation,
  ids: readonly string[],
  word: string,
  act: (task: string, onPending: () => void) => Promise<TaskView>,
): Promise<void> {
  answerMany(cli, await oneByOne(ids, act), said(word))
}

/** `Blocked t_4k2…  (blocked)` */
export const said =
  (word: string) =>
  (task: TaskView): string =>
    `${word} ${task.id}  (${statusText(task)})`

/** A hand-off tells of one card; the same words on many would be true of one at most. */
export function requireOne(ids: readonly string[], given: unknown, what: string): void {
  if (ids.length > 1 && given !== undefined)
    throw new BoardError('invalid_input', `A ${what} tells of one card: name these one by one.`)
}
