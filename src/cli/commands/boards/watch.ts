import { watchBoard } from '../../../operations/boards/watch-board.ts'
import { definedOnly } from '../../../util/objects.ts'
import { EVENT_KINDS } from '../../../core/event-kinds.ts'
import { nearest } from '../../../util/nearest.ts'
import { agent, badValue, filling, line } from '../../flags.ts'
import { isForPeople, printEvents } from '../../output/print-events.ts'
import { defineCommand } from '../../command.ts'
import type { Flag } from '../../command.ts'

const kinds: Flag<readonly string[]> = {
  ...line('<a,b>', 'only events of these kinds, such as completed,blocked'),
  choices: EVENT_KINDS,
  read: (given) => given.flatMap((typed) => typed.split(',')).map(readKind),
}

/** Refuses an unknown kind, because `watch` would wait forever for such an event. */
function readKind(typed: string): string {
  const kind = typed.trim()
  if (EVENT_KINDS.some((known) => known === kind)) return kind
  const meant = nearest(kind, EVENT_KINDS)
  throw badValue(
    `unknown kind ${kind}; ${meant === null ? 'docs/reference/events.md lists the kinds' : `did you mean ${meant}?`}`,
  )
}

export const command = defineCommand({
  group: 'look',
  operation: watchBoard,
  flags: {
    assignee: agent(),
    tenant: line('<name>'),
    kind: filling('kinds', kinds),
    since: line('<cursor>', 'start after the event with this cursor (see --json)'),
  },
  examples: ['muster watch', 'muster watch --kind completed,blocked | while read -r event; do …; done'],
  run: async (cli, { kind, ...given }) => {
    const chosen = definedOnly({ ...given, kinds: kind })
    const follow = () => cli.follow(watchBoard, chosen)
    const { terminal, env } = cli.world
    // A terminal that cannot move its cursor gets lines.
    if (!isForPeople(cli) || terminal === null || env['TERM'] === 'dumb')
      return printEvents(cli, follow(), { card: true })
    const { watchOnScreen } = await import('../../watch-screen.ts')
    return watchOnScreen(cli, terminal, { chosen, follow })
  },
})
