/** Shared parts of the commands that plan cards: they choose the cards, read the plan, and print the result. */
import { BoardError, asBoardError, isDiskFull } from '../core/errors.ts'
import { isRecord } from '../util/json-fields.ts'
import { listTasks } from '../operations/cards/list-tasks.ts'
import type { PlanResult } from '../operations/plans/views.ts'
import type { Plan } from '../planning/plans/plan.ts'
import { cardIds, line, toggle } from './flags.ts'
import type { Arg, Flag } from './command.ts'
import type { Invocation } from './invocation.ts'
import { EXIT, exitCodeOf } from './output/printer.ts'
import { usageError } from './parse.ts'
import { readText } from './read-text.ts'

const planFile: Flag<unknown> = {
  value: '<file>',
  describe: 'apply this plan, from the output of --json; - reads standard input',
  repeatable: false,
  completes: 'file',
  field: 'plan',
  read: async (given, world) => {
    const typed = given.at(-1) ?? '-'
    return parsePlan(await readText(world, typed === '-' || typed.startsWith('@') ? typed : `@${typed}`), typed)
  },
}

export const planFlags = {
  all: toggle('every card in triage'),
  tenant: line('<name>', 'with --all: only cards for this tenant'),
  plan: planFile,
  hold: toggle('put the planned cards on hold'),
} as const

/** Without cards, the flag `--all` names them. */
const anyCards: Arg<readonly string[]> = { ...cardIds, arity: 'any', read: (given) => given }

export const planArguments = { cards: anyCards } as const

/** A plan alone, or the output of this command with `--json`, which is a list with one card. */
function parsePlan(given: string, from: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(given)
  } catch (cause) {
    throw new BoardError('invalid_input', `${from} is not valid JSON.`, { cause, details: { field: 'plan' } })
  }
  const entry: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  const plan = isRecord(entry) && 'plan' in entry ? entry['plan'] : entry
  if (isRecord(plan)) return plan
  throw new BoardError('invalid_input', `${from} contains no plan. To make one: muster decompose <id> --json`, {
    details: { field: 'plan' },
  })
}

interface Chosen {
  readonly cards: readonly string[]
  readonly all: boolean
  readonly tenant: string | undefined
  readonly plan: unknown
}

const MOST = 1_000

/** The cards to plan. Throws an error if the arguments do not fit together. */
export async function chooseCards(cli: Invocation, { cards, all, tenant, plan }: Chosen): Promise<readonly string[]> {
  if (all === cards.length > 0)
    throw usageError('Name cards, or use --all for every card in triage.', 'missing_argument')
  if (tenant !== undefined && !all) throw usageError('--tenant selects cards for --all.', 'missing_flag')
  if (plan !== undefined && cards.length !== 1) throw usageError('--plan is for one card.', 'missing_argument')
  if (!all) return [...new Set(cards)]
  const filter = { status: 'triage' as const, ...(tenant === undefined ? {} : { tenant }), limit: MOST }
  const found = await cli.ask(listTasks, filter)
  return found.map(({ id }) => id)
}

export type PlanAnswer =
  ({ readonly ok: true } & PlanResult) | { readonly id: string; readonly ok: false; readonly error: BoardError }

/** Plans the cards one after the other, so that a failing card does not keep the others from being planned. */
export async function planEach(
  ids: readonly string[],
  act: (id: string) => Promise<PlanResult>,
): Promise<readonly PlanAnswer[]> {
  const answers: PlanAnswer[] = []
  for (const id of ids) {
    try {
      answers.push({ ok: true, ...(await act(id)) })
    } catch (error) {
      if (!(error instanceof BoardError) && !isDiskFull(error)) throw error
      answers.push({ id, ok: false, error: asBoardError(error) })
    }
  }
  return answers
}

export function answerPlans(
  cli: Invocation,
  answers: readonly PlanAnswer[],
  sentence: (done: PlanResult) => string,
): void {
  const done = answers.flatMap((answer) => (answer.ok ? [sentence(answer)] : []))
  const failed = answers.flatMap((answer) => (answer.ok ? [] : [answer.error]))
  if (cli.json || done.length > 0 || answers.length === 0)
    cli.answer(answers, answers.length === 0 ? 'No card is in triage.' : done.join('\n\n'))
  for (const error of failed) cli.cardError(error, [])
  const [only] = failed
  if (only !== undefined) cli.exitCode = answers.length === 1 ? exitCodeOf(only) : EXIT.failed
}

/** The plan from the command line. The operation checks it. */
export const givenPlan = (plan: unknown): Plan | null => (plan === undefined ? null : (plan as Plan))
