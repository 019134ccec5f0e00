/**
 * Decides whether an agent that ended its turn without a verdict gets another turn, and with which message. The number
 * of turns is limited, because each turn spends a check try or one of a few reminders.
 */
import type { Judgement, Run } from '../run.ts'
import { isVerifier } from '../swarm.ts'
import type { Task } from '../task.ts'
import { cutFront, firstLine } from '../text.ts'

/** How many times per run the board reminds an agent to report a verdict. */
export const NUDGES = 2
export const TURN_CAUSES = ['checks_failed', 'no_verdict', 'session_lost', 'goal_open', 'goal_met'] as const

/** Why the agent gets another turn, and how many more turns may follow for the same reason. */
export interface NextTurn {
  readonly cause: (typeof TURN_CAUSES)[number]
  readonly left: number
}

/** The reminders that the agent has received so far in this run. */
export interface Reminders {
  readonly nudges: number
  /** The number of check tries that were used when the agent was last reminded of failed checks. */
  readonly tries: number
}

export const NO_REMINDERS: Reminders = { nudges: 0, tries: 0 }

export interface TurnEnd {
  /** The run whose turn ended. If the card has checks, they ran before this decision. */
  readonly run: Pick<Run, 'verdict' | 'intent' | 'checks'>
  /** How the turn ended. `checks_failed` means that the agent completed the card and its checks failed. */
  readonly how: string
  readonly exitCode: number | null
  readonly signal: string | null
  readonly checkTries: number
}

/** The next turn of the run, or null if the run is over. */
export function nextTurnAfter({ run, how, exitCode, signal, checkTries }: TurnEnd, past: Reminders): NextTurn | null {
  const { verdict, intent, checks } = run
  const endedWell = how === 'exited' && exitCode === 0 && signal === null
  // No other turn follows if the quota is used up (exit code 75) or a signal ended the agent: the next turn would end
  // in the same way.
  const mayTryAgain = how === 'checks_failed' && exitCode !== 75 && signal === null
  if (verdict !== null || intent !== null || !(endedWell || mayTryAgain)) return null
  if (checks !== null && checks.passedAt === null) {
    const left = checkTries - checks.tries
    if (left <= 0) return null
    // Checks that fail on unchanged content spend no try. Such a turn counts as a reminder; otherwise turns could
    // repeat forever.
    if (checks.tries > past.tries) return { cause: 'checks_failed', left }
  }
  return past.nudges < NUDGES ? { cause: 'no_verdict', left: NUDGES - past.nudges - 1 } : null
}

export const countReminder = (past: Reminders, { cause }: NextTurn, { checks }: Pick<Run, 'checks'>): Reminders =>
  cause === 'checks_failed' ? { ...past, tries: checks?.tries ?? 0 } : { ...past, nudges: past.nudges + 1 }

/** Describes the turn in one line, for the log and the history. */
export const describeTurn = (turn: number, { cause, left }: NextTurn): string =>
  `turn ${turn}: ${TURN_REASONS[cause](left)}`

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

const TURN_REASONS: Readonly<Record<NextTurn['cause'], (left: number) => string>> = {
  session_lost: () => 'its earlier session could not be resumed, so it begins a new one',
  checks_failed: (left) => `its checks failed, ${counted(left, 'try', 'tries')} left`,
  no_verdict: (left) => `it ended without a verdict, ${left === 0 ? 'last reminder' : 'reminded'}`,
  goal_open: (left) => `its goal is not met, ${counted(left, 'turn', 'turns')} left`,
  goal_met: () => 'the judge accepts the work, so the agent is reminded to complete the card',
}

export interface TurnContext {
  readonly task: Pick<Task, 'id' | 'swarmRole'>
  readonly phase: Run['phase']
  /** The output of the last checks. Null means that no checks ran, or that all checks passed. */
  readonly output: string | null
  /** The reason why the agent's result file is not a valid verdict. */
  readonly fault: string | null
  /** The judgement of the last turn. It is given if the goal of the card is not met. */
  readonly judgement?: Pick<Judgement, 'by' | 'reason' | 'missing'> | null
}

/**
 * The points that the judge found missing, as quoted text. The judge read files of the agent, so its words must not
 * count as instructions.
 */
function missingPoints({ by, reason, missing }: Pick<Judgement, 'by' | 'reason' | 'missing'>): string {
  const lines = missing.length === 0 ? [reason] : missing.map((point) => `- ${firstLine(point, 400)}`)
  return `${by === 'checks' ? 'The checks of the card' : 'The judge'} found missing:\n\n${fencedOutput(lines.join('\n'))}`
}

const OUTPUT_MAX = 16_000

/** The prompt of another turn. */
export function turnMessage(
  { cause, left }: NextTurn,
  { task, phase, output, fault, judgement = null }: TurnContext,
): string {
  const options = TURN_OPTIONS[phase === 'review' ? 'review' : isVerifier(task) ? 'verification' : 'work']
  const parts =
    cause === 'goal_met'
      ? [
          `The judge accepts the work on card ${task.id}, but you have not reported a result. Complete the card now with`,
          "the board's tools, or block it with what you need. This is the only reminder.",
        ]
      : cause === 'goal_open'
        ? [
            `The goal of card ${task.id} is not met yet. Continue with the next step: ${counted(left, 'turn is', 'turns are')} left.`,
            'Complete the card when nothing is missing, or block it with what you need.',
          ]
        : cause === 'checks_failed'
          ? [
              `Card ${task.id} is not done: its checks failed, and your verdict is withdrawn. Fix the work and complete it`,
              `again: ${left} ${left === 1 ? 'try is' : 'tries are'} left. If you cannot, block the card with what you need.`,
            ]
          : [
              `You ended your turn without a verdict on card ${task.id}. Report it with the board's tools:`,
              `${options} ${left === 0 ? 'This is the last reminder: a run' : 'A run'} that ends without a verdict counts as`,
              'a failure. If the tools do not answer, write the verdict to RESULT.json in the root of the workspace, as in',
              '{"verdict": "block", "reason": "…"}.',
            ]
  return [
    parts.join('\n'),
    ...(judgement === null ? [] : [missingPoints(judgement)]),
    ...(fault === null ? [] : [`Your RESULT.json is not a verdict: ${firstLine(fault, 400)}`]),
    ...(output === null || output.trim() === '' ? [] : [`Output of the checks:\n\n${fencedOutput(output)}`]),
  ]
    .join('\n\n')
    .concat('\n')
}

const TURN_OPTIONS = {
  work: 'complete it with what changed, request a review, or block it with what you need.',
  review: 'complete it to approve, or request changes and list what is missing.',
  verification: 'complete it to approve the work of the swarm, request changes from its workers, or block it.',
} as const

/** Quotes program output in a code fence that the output cannot close. */
function fencedOutput(output: string): string {
  const shown = output.length > OUTPUT_MAX ? `[…]\n${cutFront(output, OUTPUT_MAX)}` : output
  const longest = Math.max(2, ...(shown.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${shown.trim()}\n${fence}`
}
