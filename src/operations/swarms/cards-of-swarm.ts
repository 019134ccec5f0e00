/** Makes the cards of a swarm from the input of a caller. */
import { BoardError } from '../../core/errors.ts'
import { cardInputSchema } from '../../core/input/card-input.ts'
import { inputFault } from '../../core/input/input-fault.ts'
import type { CardInput } from '../../core/input/card-input.ts'
import type { VerbInput } from '../../core/transitions/index.ts'
import { firstLine } from '../../core/text.ts'
import { newTaskId } from '../../util/mint.ts'

export interface AskedWorker {
  readonly agent: string
  readonly title: string | null
  readonly body: string | null
  readonly skills: readonly string[] | null
  readonly priority: number
}

export interface AskedSwarm {
  readonly goal: string
  readonly workers: readonly AskedWorker[]
  readonly verifier: string
  readonly synthesizer: string
  readonly priority: number
  readonly labels: readonly string[]
  readonly idempotencyKey: string | null
}

type Inherited = Pick<CardInput, 'tenant' | 'session' | 'workspace'>

/** The part of a goal that fits into the title of a card. */
const GOAL_IN_TITLE = 80

/** Cards with the same creation time are listed by id. So sorted ids list the root first and the synthesizer last. */
export function cardsOfSwarm(asked: AskedSwarm, inherited: Inherited): VerbInput<'create_swarm'> {
  const { workers, verifier, synthesizer, goal, priority, labels, idempotencyKey } = asked
  const ids = Array.from({ length: workers.length + 3 }, newTaskId).toSorted()
  const shared = { ...inherited, priority, labels: [...labels] }
  const about = firstLine(goal, GOAL_IN_TITLE)
  const cards = [
    {
      ...shared,
      workspace: undefined,
      title: `Swarm: ${about}`,
      body: goal,
      idempotencyKey,
    },
    ...workers.map(({ agent, title, body, skills, priority: own }, at) => ({
      ...shared,
      title: title ?? `Worker ${at + 1}: ${about}`,
      body,
      assignee: agent,
      skills: skills === null ? null : [...skills],
      priority: own === 0 ? priority : own,
    })),
    { ...shared, title: `Verify: ${about}`, assignee: verifier },
    { ...shared, title: `Synthesize: ${about}`, assignee: synthesizer },
  ].map((card, at) => checked({ ...card, id: ids[at] }))
  const [root, ...rest] = cards
  const last = rest.pop()
  const judge = rest.pop()
  if (root === undefined || last === undefined || judge === undefined)
    throw new BoardError('internal', 'The cards of the swarm could not be built.')
  return { root, workers: rest, verifier: judge, synthesizer: last }
}

/** Faults name the field, as for a single card. */
function checked(card: object): CardInput {
  const parsed = cardInputSchema.safeParse(card)
  if (parsed.success) return parsed.data
  throw inputFault(parsed.error, { verb: 'swarm' })
}
