import { watchBoard } from '../../../operations/boards/watch-board.ts'
import { definedOnly } from '../../../util/objects.ts'
import { EVENT_KINDS } from '../../../core/event-kinds.ts'
import { nearest } from '../../../util/nearest.ts'
import { agent, badValue, filling, line, toggle } from '../../flags.ts'
import { isForPeople, printEvents } from '../../output/print-events.ts'
import { defineCommand } from '../../command.ts'
import type { Flag } from '../../command.ts'

const kinds: Flag<readonly string[]> = {
  ...line('<a,b>', 'only events of these kinds, such as completed,blocked'),
  choices: EVENT_KINDS,
  read: (given) => given.flatMap((typed) => typed.split(',')).map(readKind),
}

/** Parses the kind of an event. An unknown kind is refused, because `watch` would wait forever for such an event. */
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
    allBoards: filling('all', toggle('the cards of all boards')),
    kind: filling('kinds', kinds),
    since: line('<cursor>', 'start after the event with this cursor (see --json)'),
    lines: toggle('print a line per event instead of the board, also in a pipe'),
  },
  brief: 'Watch a board as it changes',
  examples: ['muster watch', 'muster watch --kind completed,blocked | while read -r event; do …; done'],
  run: async (cli, { kind, since, lines, allBoards, ...given }) => {
    const watched = { all: allBoards, ...definedOnly(given) }
    const { terminal, env } = cli.world
    // Flags that choose events, and a terminal that cannot move its cursor, get lines and not the screen.
    const wantsLines = lines || kind !== undefined || since !== undefined || env['TERM'] === 'dumb'
    if (!isForPeople(cli) || terminal === null || wantsLines) {
      const chosen = { ...watched, ...definedOnly({ kinds: kind, since }) }
      return printEvents(cli, cli.follow(watchBoard, chosen), { card: true, lines })
    }
    const { watchOnScreen } = await import('../../watch/watch-screen.ts')
    return watchOnScreen(cli, terminal, watched)
  },
})
