/** The parts that all commands for changing cards share: the ids, the reason, and a line of output for each card. */
import { BoardError } from '../core/errors.ts'
import type { TaskView } from '../storage/store.ts'
import { shellWord } from '../util/shell-word.ts'
import type { Invocation } from './invocation.ts'
import { filling, hidden, text } from './flags.ts'
import { usageError } from './parse.ts'
import type { IdsAndReason } from './flags.ts'
import { answerMany, oneByOne } from './many.ts'
import { statusText } from './render/format-values.ts'
import type { Flag } from './command.ts'

/** Another way to give ids, which existing scripts use: `--ids t_4k2,t_8x1`. */
const moreIds: Flag<readonly string[]> = hidden({
  value: '<ids>',
  describe: 'more cards, separated by commas',
  repeatable: true,
  completes: 'card',
  field: 'task',
  read: (given) => given.flatMap((typed) => typed.split(/[\s,]+/)).filter((id) => id !== ''),
})

/** The flags of commands whose reason becomes an answer for the next run of the card. */
export const answerFlags = {
  reason: text('<text>', 'your answer or reason, if not given after the ids'),
  ids: moreIds,
}

export const reasonFlags = { reason: text('<text>', 'the reason, if not given after the ids'), ids: moreIds }

export function targetsOf(given: {
  readonly cards: IdsAndReason
  readonly reason: string | undefined
  readonly ids: readonly string[] | undefined
}): IdsAndReason {
  const { cards, reason, ids = [] } = given
  if (cards.reason !== null && reason !== undefined)
    throw new BoardError('invalid_input', 'Give the reason after the ids or with --reason, not both.')
  return { ids: [...cards.ids, ...ids], reason: reason ?? cards.reason }
}

/** The flags `--force --reason "…"`, which skip the checks of a card. The older form `--force="…"` still works. */
export const skipChecksFlags = {
  force: {
    value: null,
    acceptsValue: true,
    describe: 'skip the checks; needs --reason',
    repeatable: false,
    read: (given: readonly string[]) => given.at(-1) ?? null,
  } satisfies Flag<string | null>,
  reason: filling('force', text('<text>', 'why the checks are skipped')),
}

/** The reason for skipping the checks. Null means that the checks are not skipped. */
export function reasonToSkip(
  ids: readonly string[],
  { force, reason }: { readonly force: string | null | undefined; readonly reason: string | undefined },
): string | null {
  if (force == null) {
    if (reason === undefined) return null
    throw usageError('--reason explains why the checks are skipped, so it needs --force.', 'missing_flag')
  }
  const stray = ids.find((id) => /\s/.test(id))
  const given = [reason, force].find((one) => one !== undefined && one.trim() !== '')
  if (given !== undefined && stray === undefined) return given
  throw usageError(
    `--force skips the checks, and the reason is kept with the card: add --reason ${shellWord(stray ?? 'flaky test')}.`,
    'missing_value',
  )
}

/** Makes the same change to each card and prints the new status. */
export async function changeCards(
  cli: Invocation,
  ids: readonly string[],
  done: string,
  act: (task: string, onPending: () => void) => Promise<TaskView>,
): Promise<void> {
  answerMany(cli, await oneByOne(ids, act), resultLine(done))
}

/** Formats the line for one card, such as `Blocked t_4k2…  (blocked)`. */
export const resultLine =
  (done: string) =>
  (task: TaskView): string =>
    `${done} ${task.id}  (${statusText(task)})`

/** Refuses a value for one card, such as a summary, if the user gave several cards. */
export function requireOne(ids: readonly string[], given: unknown, field: string): void {
  if (ids.length > 1 && given !== undefined)
    throw new BoardError('invalid_input', `A ${field} is for one card. Run the command once for each card.`)
}
