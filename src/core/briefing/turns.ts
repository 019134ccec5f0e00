/**
 * What follows when the agent of a run has ended its turn and owes a verdict: another turn, in which it is told why, or
 * nothing more. Turns are bounded: each either spends a try of the checks or is one of a few reminders.
 */
import type { Run } from '../run.ts'
import type { Task } from '../task.ts'
import { cutFront, firstLine } from '../text.ts'

/** How often a run is reminded that it owes a verdict. */
export const NUDGES = 2
export const TURN_CAUSES = ['checks_failed', 'no_verdict', 'session_lost'] as const

/** Why there is another turn, and how often there may be one more for the same reason. */
export interface NextTurn {
  readonly cause: (typeof TURN_CAUSES)[number]
  readonly left: number
}

/** What the agent has been told in the turns before. */
export interface Reminders {
  readonly nudges: number
  /** How many tries of its checks had been spent when it was last told of them. */
  readonly tries: number
}

export const NO_REMINDERS: Reminders = { nudges: 0, tries: 0 }

export interface TurnEnd {
  /** The run as it stands when its checks, if it was to be checked, are over. */
  readonly run: Pick<Run, 'verdict' | 'intent' | 'checks'>
  /** `checks_failed`: it had called the card finished, and was not borne out. */
  readonly how: string
  readonly exitCode: number | null
  readonly signal: string | null
  readonly checkTries: number
}

/** Null when the run is over, one way or the other. */
export function nextTurnAfter({ run, how, exitCode, signal, checkTries }: TurnEnd, told: Reminders): NextTurn | null {
  const { verdict, intent, checks } = run
  const endedWell = how === 'exited' && exitCode === 0 && signal === null
  // A quota that is spent, or a signal, would end the next turn too.
  const mayTryAgain = how === 'checks_failed' && exitCode !== 75 && signal === null
  if (verdict !== null || intent !== null || !(endedWell || mayTryAgain)) return null
  if (checks !== null && checks.passedAt === null) {
    const left = checkTries - checks.tries
    if (left <= 0) return null
    // On unchanged content a failure spends no try: such a turn counts as a reminder, or they would never end.
    if (checks.tries > told.tries) return { cause: 'checks_failed', left }
  }
  return told.nudges < NUDGES ? { cause: 'no_verdict', left: NUDGES - told.nudges - 1 } : null
}

export const countReminder = (told: Reminders, { cause }: NextTurn, { checks }: Pick<Run, 'checks'>): Reminders =>
  cause === 'checks_failed' ? { ...told, tries: checks?.tries ?? 0 } : { ...told, nudges: told.nudges + 1 }

/** For the record, in words. */
export function describeTurn(turn: number, { cause, left }: NextTurn): string {
  const why =
    cause === 'session_lost'
      ? 'its earlier session could not be resumed, so it begins a new one'
      : cause === 'checks_failed'
        ? `its checks failed, ${left} ${left === 1 ? 'try' : 'tries'} left`
        : `it ended without a verdict, ${left === 0 ? 'asked for the last time' : 'asked for it'}`
  return `turn ${turn}: ${why}`
}

export interface TurnContext {
  readonly task: Pick<Task, 'id'>
  readonly phase: Run['phase']
  /** What the last checks said; null where there were none, or they passed. */
  readonly output: string | null
  /** Why a result file that it left was not taken for a verdict. */
  readonly fault: string | null
}

const OUTPUT_MAX = 16_000

/** What the agent is told at the beginning of such a turn. */
export function turnMessage({ cause, left }: NextTurn, { task, phase, output, fault }: TurnContext): string {
  const words = WORDS[phase === 'review' ? 'review' : 'work']
  const parts =
    cause === 'checks_failed'
      ? [
          `Card ${task.id} is not done: its checks failed, and your verdict is withdrawn. Mend what they found and say it`,
          `again: ${left} ${left === 1 ? 'try is' : 'tries are'} left. If you cannot, block the card with what you need.`,
        ]
      : [
          `You ended your turn without a verdict on card ${task.id}. Say how it went through the board's tools:`,
          `${words} ${left === 0 ? 'This is the last reminder: a run' : 'A run'} that ends without a word counts against`,
          'the card. Where the tools do not answer, write it to RESULT.json in the root of the workspace, as in',
          '{"verdict": "block", "reason": "…"}.',
        ]
  return [
    parts.join('\n'),
    ...(fault === null ? [] : [`Your RESULT.json is no verdict: ${firstLine(fault, 400)}`]),
    ...(output === null || output.trim() === '' ? [] : [`What the checks said:\n\n${fencedOutput(output)}`]),
  ]
    .join('\n\n')
    .concat('\n')
}

const WORDS = {
  work: 'complete it with what changed, request a review, or block it with what you need.',
  review: 'complete it to approve, or request changes and say exactly what is missing.',
} as const

/** What a program printed, as a block that it cannot end. */
function fencedOutput(output: string): string {
  const shown = output.length > OUTPUT_MAX ? `[…]\n${cutFront(output, OUTPUT_MAX)}` : output
  const longest = Math.max(2, ...(shown.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${shown.trim()}\n${fence}`
}
