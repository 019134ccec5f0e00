/**
 * Judges a turn of an agent that works towards the goal of its card. The checks run first, because a judge costs money.
 * Then the judge decides whether the work is done. The store is read before each question, so no money is spent after
 * the run lost its card or a person ended the run.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { goalOf, isJudgedRun } from '../../core/goal.ts'
import { owns } from '../../core/limits/lease.ts'
import { requiredChecks } from '../../core/required-checks.ts'
import type { Judgement, Run } from '../../core/run.ts'
import type { Ending } from '../../core/transitions/settlement/input.ts'
import { needsChecks } from '../../core/transitions/run-life.ts'
import { addUsage } from '../../harnesses/stream/turn-summary.ts'
import type { NextTurn } from '../../core/briefing/turns.ts'
import { noteInLog } from '../../runs/log/log-note.ts'
import { removeVerdict } from '../../runs/files/verdict-file.ts'
import type { ModelUsage } from '../../planning/models/model.ts'
import type { JudgeReply } from '../../planning/judge/judge.ts'
import type { TaskView } from '../../storage/store.ts'
import { runtimeAlarm } from '../alarm.ts'
import type { CheckOutcome } from '../check-runner.ts'
import { endAgent } from '../end-agent.ts'
import type { Cut } from '../end-agent.ts'
import { retryUntilAvailable, retryUntilShutdown } from '../retry.ts'
import type { SupervisedRun } from '../supervised-run.ts'
import { SUPERVISOR } from '../supervised-run.ts'
import { checkEnding, isStillChecked } from '../turns/check-ending.ts'
import type { Supervision } from '../turns/run-turn.ts'
import { collectEvidence, hashOfWork } from './evidence.ts'

/** How often a judge that does not answer is asked again. */
const RETRIES = 3

/** The decision about a turn. `ungoverned` means that a person removed the goal, so no judge decides. */
type JudgedTurn =
  | { readonly kind: 'over'; readonly ending: Ending | null }
  | {
      readonly kind: 'next'
      readonly call: NextTurn
      readonly judgement: Judgement | null
      readonly output: string | null
    }
  | { readonly kind: 'ungoverned' }

/** Judges the turn, unless another cause ends the run. */
export async function judgeTurn(
  owned: SupervisedRun,
  ending: Ending,
  { supervision, canContinue }: { readonly supervision: Supervision; readonly canContinue: boolean },
): Promise<JudgedTurn> {
  const { causes } = supervision
  const cut = new AbortController()
  const alarm = runtimeAlarm(owned, () => causes.add({ kind: 'timed_out' }))
  const judging = new Judging(owned, supervision, { ending, canContinue, signal: cut.signal }).decide()
  // If another cause comes first, nothing waits for this answer. Without a handler, its failure would be an unhandled
  // rejection.
  judging.catch(() => {})
  try {
    // The judge has its own timeout, so silence of the agent does not count here.
    const cause = causes.next('stale').then((cutBy): { kind: 'cut'; cutBy: Cut } => ({ kind: 'cut', cutBy }))
    const first = await Promise.race([judging, cause])
    if (first.kind !== 'cut') return first
    cut.abort()
    await supervision.checkRunner.stop()
    return await endFor(owned, supervision, first.cutBy)
  } finally {
    cut.abort()
    alarm.stop()
  }
}

/** Ends the run for another cause. If a person completed the card, its checks still run first. */
async function endFor(owned: SupervisedRun, supervision: Supervision, cause: Cut): Promise<JudgedTurn> {
  const ended = await endAgent(owned, null, cause)
  return { kind: 'over', ending: ended?.how === 'stopped' ? await checkEnding(owned, ended, supervision) : ended }
}

interface Turn {
  readonly ending: Ending
  readonly canContinue: boolean
  readonly signal: AbortSignal
}

interface Found {
  readonly answer: Judgement['answer']
  readonly by: Judgement['by']
  readonly reason: string
  readonly missing: readonly string[]
  readonly usage: ModelUsage | null
  readonly hash: string | null
}

interface Rows {
  readonly task: TaskView
  readonly run: Run
}

class Judging {
  readonly #owned: SupervisedRun
  readonly #supervision: Supervision
  readonly #turn: Turn

  constructor(owned: SupervisedRun, supervision: Supervision, turn: Turn) {
    this.#owned = owned
    this.#supervision = supervision
    this.#turn = turn
  }

  async decide(): Promise<JudgedTurn> {
    const rows = await this.#read()
    const { ending } = this.#turn
    if (rows === null) return this.#lost()
    if (!isJudgedRun(rows.task, rows.run)) return { kind: 'ungoverned' }
    if (rows.run.intent !== null) return endFor(this.#owned, this.#supervision, { kind: 'intent' })
    if (!isJudgeable(rows.run, ending)) return { kind: 'over', ending }
    const checked = await this.#check(rows)
    if (checked === null) return { kind: 'over', ending }
    if (checked.kind === 'unapproved')
      return { kind: 'over', ending: { ...ending, how: 'interrupted', error: checked.summary } }
    const found = checked.kind === 'failed' ? failedChecks(checked.summary) : await this.#judge()
    return found === null ? this.#lost() : this.#record(found, checked.kind === 'failed' ? checked.output : null)
  }

  /** The card and the run, if this supervisor still owns them. */
  async #read(): Promise<Rows | null> {
    const { store, ticket, fence } = this.#owned
    const read = () => Promise.all([store.task(ticket.board, ticket.task), store.run(fence.runId)])
    const [task, run] = await retryUntilAvailable(read, { signal: this.#turn.signal })
    return task === null || run === null || run.endedAt !== null || !owns(run, fence) ? null : { task, run }
  }

  /** Ends a turn because its run lost the card, or because a person ended the run. */
  async #lost(): Promise<JudgedTurn> {
    const isEnded = (await this.#read())?.run.intent != null
    return endFor(this.#owned, this.#supervision, { kind: isEnded ? 'intent' : 'superseded' })
  }

  /** Whether an answer of the judge would still count. */
  async #mayAsk(): Promise<boolean> {
    const rows = await this.#read()
    return rows !== null && rows.run.intent === null
  }

  /** Runs the checks, unless they already ran for this turn. Null means that their outcome no longer matters. */
  async #check({ task, run }: Rows): Promise<Exclude<CheckOutcome, { kind: 'overtaken' }> | null> {
    const { ending } = this.#turn
    const { checks, verdict } = run
    if (requiredChecks(task, run).length === 0) return { kind: 'unneeded' }
    if (ending.how === 'checks_failed')
      return {
        kind: 'failed',
        summary: ending.error ?? 'The checks failed.',
        output: checks?.output ?? '',
        triesLeft: 0,
      }
    // If the worker reported a result, its checks have already passed (check-ending.ts).
    if (verdict !== null || (await isStillChecked(this.#owned, task, run))) return { kind: 'passed' }
    const outcome = await this.#supervision.checkRunner.check({ isTurn: true })
    return outcome.kind === 'overtaken' ? null : outcome
  }

  async #judge(): Promise<Found | null> {
    const rows = await this.#read()
    if (rows === null) return null
    const { task, run } = rows
    if (goalOf(task)?.judge === 'checks')
      return {
        answer: 'done',
        by: 'checks',
        reason: 'All checks of the card passed.',
        missing: [],
        usage: null,
        hash: null,
      }
    const hash = await hashOfWork(this.#owned, task)
    if (hash !== null && hash === run.goal?.passedHash) return { ...UNCHANGED, hash }
    return this.#ask(rows, hash)
  }

  /** Asks the judge, and retries if it does not answer. Null means that no answer would count any more. */
  async #ask({ task, run }: Rows, hash: string | null): Promise<Found | null> {
    const { ticket, env, store } = this.#owned
    const { signal } = this.#turn
    const [{ openModel }, { askJudge }] = await Promise.all([
      import('../../planning/models/model.ts'),
      import('../../planning/judge/judge.ts'),
    ])
    const model = openModel('judge', { home: ticket.home, env })
    const { answers } = await retryUntilAvailable(() => store.answers(ticket.board, task.id), { signal })
    const evidence = await collectEvidence(this.#owned, { task, run, monitor: this.#supervision.monitor })
    const question = { title: task.title, body: task.body, answers: answers.map(({ body }) => body), evidence }
    let usage: ModelUsage | null = null
    for (let retry = 0; ; retry += 1) {
      if (!(await this.#mayAsk())) return null
      const reply = await askJudge(model, question, signal)
      usage = sumOf(usage, reply.usage)
      if (reply.kind === 'judged') return { ...foundIn(reply), usage, hash }
      await noteInLog(this.#owned.directory.log, `the judge did not answer: ${reply.message}`)
      if (!reply.mayRecover || retry === RETRIES)
        return { answer: 'unavailable', by: 'model', reason: reply.message, missing: [], usage, hash }
      await sleep(ticket.judgeRetryMs * 2 ** retry, undefined, { signal })
    }
  }

  async #record(found: Found, output: string | null): Promise<JudgedTurn> {
    const { store, ticket, fence, directory } = this.#owned
    const { board, task } = ticket
    const { canContinue, ending, signal } = this.#turn
    const input = { task, fence, ...found, missing: [...found.missing], canContinue }
    signal.throwIfAborted()
    const recorded = await retryUntilShutdown(this.#owned, () =>
      store.decide({ verb: 'judge', board, actor: SUPERVISOR, input }),
    )
    if (!recorded.ok) return recorded.error.code === 'run_superseded' ? this.#lost() : { kind: 'ungoverned' }
    const { next, left } = recorded.result
    await noteInLog(directory.log, `the judge answered ${found.answer}: ${found.reason}`)
    // The store has withdrawn the verdict, so the verdict file must no longer count.
    if (next === 'continue' || next === 'stop') await removeVerdict(directory)
    if (next === 'settle' || next === 'stop') return { kind: 'over', ending: { ...ending, how: 'exited', error: null } }
    // A used-up quota or a signal would also end the next turn.
    if (ending.exitCode === 75 || ending.signal != null) return { kind: 'over', ending }
    const judgement = (await this.#read())?.run.goal?.judgements.at(-1) ?? null
    return next === 'remind'
      ? { kind: 'next', call: { cause: 'goal_met', left }, judgement: null, output: null }
      : { kind: 'next', call: { cause: 'goal_open', left }, judgement, output }
  }
}

/**
 * Whether a judge can decide about this turn. After a crash, a limit or a signal, the run has failed, unless the worker
 * reported a result before.
 */
function isJudgeable({ verdict }: Pick<Run, 'verdict'>, { how, exitCode = null, signal = null }: Ending): boolean {
  if (verdict !== null) return needsChecks(verdict)
  return how === 'checks_failed'
    ? exitCode !== 75 && signal === null
    : how === 'exited' && exitCode === 0 && signal === null
}

const UNCHANGED: Omit<Found, 'hash'> = {
  answer: 'done',
  by: 'model',
  reason: 'Nothing has changed since the judge accepted the work.',
  missing: [],
  usage: null,
}

const failedChecks = (summary: string): Found => ({
  answer: 'continue',
  by: 'checks',
  reason: summary,
  missing: [summary],
  usage: null,
  hash: null,
})

const foundIn = ({
  answer,
  reason,
  missing,
}: Extract<JudgeReply, { kind: 'judged' }>): Omit<Found, 'usage' | 'hash'> => ({
  answer,
  by: 'model',
  reason,
  missing,
})

const sumOf = (before: ModelUsage | null, now: ModelUsage | null): ModelUsage | null =>
  before === null || now === null ? (now ?? before) : { model: now.model, ...addUsage(before, now) }
