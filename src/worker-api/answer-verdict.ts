/** Answers a worker that reported a verdict. If the checks finish in time, the answer contains their outcome. */
import { setTimeout as sleep } from 'node:timers/promises'
import { BoardError } from '../core/errors.ts'
import type { TaskId } from '../core/ids.ts'
import type { Verdict } from '../core/run.ts'
import { needsChecks } from '../core/transitions/run-life.ts'
import type { CheckRunner, CheckOutcome } from '../supervisor/check-runner.ts'

/** The longest wait for the checks. This is shorter than the client's timeout of 20 s. */
const LONGEST_WAIT_MS = 17_000

interface GivenVerdict {
  readonly task: TaskId
  readonly verdict: Verdict['kind']
  /** The number of checks of the card. */
  readonly checks: number
  /** Whether a judge decides whether the goal of the card is met. */
  readonly isJudged: boolean
  /** The time at which the worker began to wait, by the monotonic clock. */
  readonly since: number
}

/**
 * Waits for the checks and answers the worker. Throws an error if the checks failed. In that case, the verdict is
 * withdrawn, and the worker may continue.
 */
export async function answerVerdict(
  checkRunner: Pick<CheckRunner, 'check' | 'stop'>,
  { task, verdict, checks, isJudged, since }: GivenVerdict,
  withinMs = LONGEST_WAIT_MS,
): Promise<string> {
  const recorded = `Recorded ${verdict.replace('_', ' ')} for ${task}`
  const settled = `${recorded}: the card is settled when this run ends.`
  if (!needsChecks({ kind: verdict })) {
    // A block replaces the verdict whose checks are running, so these checks stop.
    void checkRunner.stop()
    return settled
  }
  const accepted = isJudged ? `${recorded}. End your turn: a judge now decides whether the goal is met.` : settled
  if (checks === 0) return accepted
  const outcome = await orNullAfter(
    checkRunner.check(),
    since + Math.min(withinMs, LONGEST_WAIT_MS) - performance.now(),
  )
  if (outcome === null) return `${recorded}: checking. End your turn; the card is settled when its checks have passed.`
  switch (outcome.kind) {
    case 'unneeded':
    case 'overtaken':
      return accepted
    case 'passed':
      return isJudged ? accepted : `${recorded}: its checks passed, and the card is settled when this run ends.`
    case 'unapproved':
      return `${recorded}, but ${outcome.summary}.`
    case 'failed':
      throw failed(task, outcome)
  }
}

/** Returns the outcome of the checks, or null if the timeout comes first. */
async function orNullAfter(answer: Promise<CheckOutcome>, ms: number): Promise<CheckOutcome | null> {
  const over = new AbortController()
  try {
    const late = sleep(Math.max(0, ms), null, { signal: over.signal }).catch(() => null)
    return await Promise.race([answer, late])
  } finally {
    over.abort()
  }
}

function failed(task: TaskId, { summary, output, triesLeft }: Extract<CheckOutcome, { kind: 'failed' }>): BoardError {
  const next =
    triesLeft === 0
      ? 'No tries are left: block it with what you need, or end your turn.'
      : `Fix it and report again: ${triesLeft} ${triesLeft === 1 ? 'try is' : 'tries are'} left.`
  const [headline = ''] = summary.split('\n')
  return new BoardError('checks_failed', `Card ${task} is not done: ${headline}. ${next}`, {
    details: { id: task, output, triesLeft },
  })
}
