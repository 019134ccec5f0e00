/** Finds commands that can be approved together, because a person needs to read them only once. */
import type { InboxItem } from '../api/queries.ts'

type Asked = Pick<InboxItem, 'id' | 'kind' | 'commands'>
type Commands = NonNullable<InboxItem['commands']>

/** Returns everything that a card would run, as text. Two cards with equal texts run the same commands. */
const textOf = ({ body, checks, directory, agent }: Commands): string =>
  JSON.stringify([body, checks, directory, agent?.name, agent?.permissions])

const authorOf = ({ bodyBy, createdBy }: Commands): string => bodyBy ?? createdBy

/** Whether two approvals are similar: the same author wrote the same commands, or one run created both cards. */
function areAlike(a: Commands, b: Commands): boolean {
  if (a.isCut || b.isCut) return false
  if (a.createdByRun !== null && a.createdByRun === b.createdByRun) return true
  return authorOf(a) === authorOf(b) && textOf(a) === textOf(b)
}

/** Returns the other items that can be approved together with this item. */
export function alikeOf<Item extends Asked>(item: Asked, items: readonly Item[]): readonly Item[] {
  const { commands } = item
  if (commands === null) return []
  return items.filter((other) => other.id !== item.id && other.commands !== null && areAlike(commands, other.commands))
}

/** Returns every line that the machine would run. */
export const commandLines = ({ body, checks }: Pick<Commands, 'body' | 'checks'>): readonly string[] => [
  ...(body === null ? [] : [body]),
  ...checks,
]
