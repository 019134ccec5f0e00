/** The flags of `create` and `edit` for the goal of a card. */
import { BoardError } from '../core/errors.ts'
import { DEFAULT_TURNS, JUDGES, MOST_TURNS } from '../core/vocabulary.ts'
import { definedOnly } from '../util/objects.ts'
import type { JudgeKind } from '../core/vocabulary.ts'
import * as flag from './flags.ts'

const { withBrief, filling } = flag

export const goalFlags = {
  goal: withBrief(
    'until judged',
    flag.toggle('let the agent work in turns until a judge finds that the work meets the title and the body'),
  ),
  goalMaxTurns: withBrief(
    'goal turns',
    filling(
      'goal',
      flag.whole(
        { min: 1, max: MOST_TURNS },
        `the number of turns after which a person decides (default ${DEFAULT_TURNS})`,
      ),
    ),
  ),
  judge: withBrief(
    'of the goal',
    filling('goal', flag.choice(JUDGES, 'who judges: a language model (default), or the checks of the card alone')),
  ),
}

/** The flags of an edit, which can also remove the goal. */
export const goalEditFlags = {
  ...goalFlags,
  noGoal: withBrief(
    'no judge',
    filling('goal', flag.toggle('remove the goal; the agent alone decides when it is done')),
  ),
}

interface Given {
  readonly goal: boolean
  readonly goalMaxTurns?: number | undefined
  readonly judge?: JudgeKind | undefined
  readonly noGoal?: boolean
}

/** The parts of the goal that the user gave. Null removes the goal, and undefined keeps it. */
export function givenGoal({ goal, goalMaxTurns, judge, noGoal = false }: Given) {
  const parts = definedOnly({ maxTurns: goalMaxTurns, judge })
  const isGiven = goal || Object.keys(parts).length > 0
  if (noGoal && isGiven) throw new BoardError('invalid_input', 'Give --no-goal alone, without --goal and --judge.')
  return noGoal ? null : isGiven ? parts : undefined
}
