/**
 * Asks the judge model about tournaments whose entries have ended, one tournament at a time. It runs beside the
 * dispatcher and never in its passes. The tries of each tournament are in the store: see core/tournament.
 */
import * as z from 'zod'
import { JUDGE_ACTOR } from '../../core/actor.ts'
import type { TaskId } from '../../core/ids.ts'
import type { Task } from '../../core/task.ts'
import { cut } from '../../core/text.ts'
import { JUDGE_ANSWER_MS, JUDGE_RENEW_MS } from '../../core/tournament/judge-times.ts'
import { nextTournamentStep } from '../../core/tournament/next-step.ts'
import { fieldOf } from '../../core/tournament/tournament.ts'
import type { Environment } from '../../config/environment.ts'
import { asBoardError } from '../../core/errors.ts'
import type { Store } from '../../storage/store.ts'
import { nudgeRun } from '../../runs/files/run-directory.ts'
import { newRunId } from '../../util/mint.ts'
import { startLoop } from '../auto/background-loop.ts'
import type { BackgroundLoop } from '../auto/background-loop.ts'
import { failure } from '../models/answer.ts'
import type { ModelAnswer } from '../models/answer.ts'
import { openModel } from '../models/model.ts'
import { LASTING } from '../judge/judge.ts'
import { collectEntries } from './collect-entries.ts'
import { PICK_INSTRUCTIONS, pickInput } from './prompt.ts'
import { inRandomOrder } from './random-order.ts'

export interface TournamentJudgeContext {
  readonly store: Store
  readonly home: string
  readonly env: Environment
  /** The only board to judge. Null means all boards. */
  readonly onlyBoard: string | null
  /** The wait before the first retry. Each retry waits twice as long. */
  readonly retryMs: number
  /** The time between two renewals of a try. Tests shorten it. */
  readonly renewMs?: number
  readonly onNotice: (text: string) => void
}

const BATCH = 500
const REASON_LENGTH = 1_000

export const startTournamentJudge = (context: TournamentJudgeContext): Promise<BackgroundLoop> =>
  startLoop(context, (_, stop) => judgeNext(context, stop))

/**
 * Judges one tournament. Returns whether there may be another one, or the time in ms until the next one is due.
 */
export async function judgeNext(context: TournamentJudgeContext, stop: AbortSignal): Promise<boolean | number> {
  const { store, onlyBoard } = context
  const roots = (await store.openTournaments(BATCH)).filter(
    ({ board, tournament }) => (onlyBoard === null || board === onlyBoard) && tournament?.picker === 'judge',
  )
  if (roots.length === 0) return false
  const now = await store.now()
  const waits: number[] = []
  for (const root of roots) {
    const entries = await store.tasksById(root.tournament?.entries ?? [])
    if (nextTournamentStep(root, entries) !== 'judge') continue
    const wait = (root.tournament?.judging?.after ?? 0) - now
    if (wait > 0) waits.push(wait)
    else if (!stop.aborted && (await judgeTournament(context, root, entries, stop))) return true
  }
  return waits.length === 0 ? false : Math.min(...waits)
}

/** Returns false if another machine asks the judge, or if the tournament changed. */
async function judgeTournament(
  context: TournamentJudgeContext,
  root: Task,
  entries: readonly Task[],
  stop: AbortSignal,
): Promise<boolean> {
  const { store } = context
  const { board, id: task } = root
  const order = inRandomOrder(fieldOf(entries).passed.map(({ id }) => id))
  const begun = await store.decide({
    verb: 'begin_pick',
    board,
    actor: JUDGE_ACTOR,
    input: { task, entries: [...entriesOf(root)], order: [...order] },
  })
  if (!begun.ok) return false
  const { attempt } = begun.result
  if (attempt === null) return true
  const renewal = renewTry(context, { root, attempt })
  try {
    const answer = await askForWinner(context, { root, order, stop: AbortSignal.any([stop, renewal.lost]) })
    await endTry(context, { root, order, attempt, answer, isStopped: stop.aborted })
  } finally {
    renewal.stop()
  }
  return true
}

const entriesOf = ({ tournament }: Task): readonly TaskId[] => tournament?.entries ?? []

interface Try {
  readonly root: Task
  readonly attempt: number
}

interface Renewal {
  /** Aborted when the try is over, because a person picked, or another machine took over. */
  readonly lost: AbortSignal
  stop(): void
}

/** Renews the try until it ends. If Muster dies, the try soon expires, and another process may begin the next one. */
function renewTry({ store, renewMs = JUDGE_RENEW_MS }: TournamentJudgeContext, { root, attempt }: Try): Renewal {
  const lost = new AbortController()
  const { board, id: task } = root
  const renew = async (): Promise<void> => {
    const renewed = await store.decide({ verb: 'renew_pick', board, actor: JUDGE_ACTOR, input: { task, attempt } })
    if (!renewed.ok) lost.abort()
  }
  // A store that does not answer now may answer at the next renewal.
  const timer = setInterval(() => void renew().catch(() => {}), renewMs)
  return { lost: lost.signal, stop: () => clearInterval(timer) }
}

interface Answered extends Try {
  readonly order: readonly TaskId[]
  readonly answer: Awaited<ReturnType<typeof askForWinner>>
  readonly isStopped: boolean
}

/** Stores the winner or the failure. A try without either is given back, so that the judge can be asked again. */
async function endTry(
  context: TournamentJudgeContext,
  { root, order, attempt, answer, isStopped }: Answered,
): Promise<void> {
  const { store, retryMs } = context
  const { board, id: task } = root
  const release = (releaseMs: number) =>
    store.decide({ verb: 'renew_pick', board, actor: JUDGE_ACTOR, input: { task, attempt, releaseMs } })
  if (isStopped) return void (await release(0))
  if (!answer.ok) {
    const { kind, message, usage } = answer
    const input = { task, attempt, reason: cut(message, REASON_LENGTH), retryMs, usage }
    const mayRecover = !LASTING.includes(kind)
    await store.decide({ verb: 'fail_pick', board, actor: JUDGE_ACTOR, input: { ...input, mayRecover } })
    return
  }
  const { winner, reason } = answer.value
  const outcome = await store.decide({
    verb: 'pick',
    board,
    actor: JUDGE_ACTOR,
    input: {
      task,
      entry: order[winner - 1] ?? task,
      entries: [...entriesOf(root)],
      runId: newRunId(),
      reason: cut(reason, REASON_LENGTH),
      attempt,
      usage: answer.usage,
    },
  })
  if (outcome.ok) await endRuns(context, outcome.result.stopping)
  else await release(retryMs)
}

/** The supervisors of the losers notice at once that their runs must end, and not only with the next heartbeat. */
async function endRuns({ store, home }: TournamentJudgeContext, losers: readonly TaskId[]): Promise<void> {
  for (const { currentRunId } of await store.tasksById(losers)) if (currentRunId !== null) nudgeRun(home, currentRunId)
}

interface Question {
  readonly root: Task
  readonly order: readonly TaskId[]
  readonly stop: AbortSignal
}

async function askForWinner(
  { store, home, env }: TournamentJudgeContext,
  { root, order, stop }: Question,
): Promise<ModelAnswer<{ readonly winner: number; readonly reason: string }>> {
  const schema = z.object({
    winner: z.int().min(1).max(order.length).describe('The number of the entry that wins'),
    reason: z.string().describe('One to three sentences'),
  })
  const timeout = AbortSignal.timeout(JUDGE_ANSWER_MS)
  try {
    const input = pickInput(await collectEntries({ store, home, root, order }))
    const signal = AbortSignal.any([stop, timeout])
    return await openModel('judge', { home, env }).ask({ instructions: PICK_INSTRUCTIONS, input, schema, signal })
  } catch (error) {
    if (timeout.aborted) return failure('timed_out', 'The judge model took too long.')
    return failure('unreachable', asBoardError(error).message)
  }
}
