/** Formats the cards and the blackboard of a swarm. */
import type { SwarmMember } from '../../core/swarm.ts'
import type { BlackboardView } from '../../operations/swarms/views.ts'
import { multiLine, oneLine } from '../output/escape.ts'
import { ICONS, localTime } from './format-values.ts'

/** The longest part of a value in a list. `muster blackboard <card> <key>` prints the whole value. */
const VALUE_SHOWN = 200

export const memberLines = (members: readonly SwarmMember[]): readonly string[] =>
  members.map(({ id, role, title, status, assignee, deletedAt }) => {
    const agent = assignee === null ? '' : `  @${assignee}`
    const state = deletedAt === null ? status : 'deleted'
    return oneLine(`${ICONS[status]} ${id}  ${role.padEnd(11)}  ${state.padEnd(9)}  ${title}${agent}`)
  })

export const entryLines = ({
  blackboard: entries,
}: {
  readonly blackboard: BlackboardView['entries']
}): readonly string[] =>
  entries.length === 0
    ? ['The blackboard is empty.']
    : entries.map(({ key, value, author, writtenAt }) => {
        const text = oneLine(value)
        const shown = text.length > VALUE_SHOWN ? `${text.slice(0, VALUE_SHOWN)}…` : text
        return `${oneLine(key)}: ${shown}  (${oneLine(author)}, ${localTime(writtenAt)})`
      })

export function wholeEntry({ entries }: Pick<BlackboardView, 'entries'>, key: string): string {
  const [entry] = entries
  return entry === undefined ? `The blackboard has no entry ${oneLine(key)}.` : multiLine(entry.value)
}
