/** The flags of `create` for a tournament. */
import { FEWEST_ENTRIES, MOST_ENTRIES, PICKERS } from '../core/vocabulary.ts'
import type { Flag } from './command.ts'
import * as flag from './flags.ts'

const { withBrief } = flag

/** Names with commas between them. The flag may also be given several times. */
const names: Flag<readonly string[]> = {
  value: '<a,b>',
  describe: 'the agents of --best-of; if they are fewer than the entries, they take turns',
  repeatable: true,
  completes: 'agent',
  read: (given) =>
    given.flatMap((typed) => typed.split(',')).flatMap((name) => (name.trim() === '' ? [] : [name.trim()])),
}

export const tournamentFlags = {
  bestOf: withBrief(
    'n entries',
    flag.whole(
      { min: FEWEST_ENTRIES, max: MOST_ENTRIES },
      'let this many agents do the work, each in its own workspace, and pick the best result',
    ),
  ),
  agents: withBrief('of entries', names),
  pick: withBrief(
    'who picks',
    flag.choice(PICKERS, 'who picks the winner of --best-of: a person (default), or the judge of config.yaml'),
  ),
}
