/**
 * Runs an agent that must report a verdict, in one or more turns. After each turn, the supervisor submits the result
 * file and runs the checks. If the checks fail or the verdict is missing, another turn asks the agent to fix that. If
 * the card has a goal, a judge decides after each turn. A turn that was cut short is the last one. A harness that
 * cannot resume sessions has only one turn.
 */
import { NO_REMINDERS, nextTurnAfter, describeTurn, countReminder, turnMessage } from '../../core/briefing/turns.ts'
import type { NextTurn, Reminders } from '../../core/briefing/turns.ts'
import { isJudgedRun } from '../../core/goal.ts'
import type { Run } from '../../core/run.ts'
import { clearTurn } from '../../runs/files/exit-file.ts'
import type { Launch } from '../../harnesses/harness.ts'
import { noteInLog } from '../../runs/log/log-note.ts'
import { keepSession } from './session-file.ts'
import type { AnswerWorker } from '../run-socket.ts'
import type { Cut } from '../end-agent.ts'
import { ResultFileSubmitter } from './submit-result-file.ts'
import { resumeEarlier } from './earlier-session.ts'
import { checkEnding } from './check-ending.ts'
import { SUPERVISOR } from '../supervised-run.ts'
import type { ConnectedRun } from '../supervised-run.ts'
import { retryUntilAvailable, retryUntilShutdown } from '../retry.ts'
import type { Supervision } from './run-turn.ts'
import { notStarted, runTurn } from './run-turn.ts'
import type { Ending } from '../../core/transitions/settlement/input.ts'
import { prepareTurn, prepareAgent, launchAnew, launchResumed } from '../start-agent.ts'
import type { PreparedAgent, AgentRequest } from '../start-agent.ts'

/** Runs the turns and returns how the run ended, after its checks. Returns null if another process settles the run. */
export const workInTurns = (
  owned: ConnectedRun,
  supervision: Supervision,
  answer: AnswerWorker,
): Promise<Ending | null> => new Turns(owned, supervision, answer).work()

/** Another turn, and the reason for it. */
interface FurtherTurn {
  readonly turn: number
  readonly call: NextTurn
  readonly launch: Launch
}

class Turns {
  readonly #owned: ConnectedRun
  readonly #supervision: Supervision
  readonly #result: ResultFileSubmitter
  #prepared: PreparedAgent | null = null
  #reminders: Reminders = NO_REMINDERS
  /** Whether the first turn resumed the session of an earlier run. */
  #isResumed = false

  constructor(owned: ConnectedRun, supervision: Supervision, answer: AnswerWorker) {
    this.#owned = owned
    this.#supervision = supervision
    this.#result = new ResultFileSubmitter(owned, answer)
  }

  async work(): Promise<Ending | null> {
    let prepare = (signal: AbortSignal): Promise<AgentRequest | Cut> => this.#begin(signal)
    for (let turn = 2; ; turn += 1) {
      const ending = await runTurn(this.#owned, this.#supervision, prepare)
      if (ending === null) return null
      const checked = await this.#check(ending)
      if (checked === null || (checked.how !== 'exited' && checked.how !== 'checks_failed')) return checked
      try {
        const next = this.#restart(checked, turn) ?? (await this.#decide(checked, turn))
        if (next === null || 'how' in next) return next
        prepare = (signal) => this.#resume(next, signal)
      } catch (error) {
        return notStarted(error)
      }
    }
  }

  async #begin(signal: AbortSignal): Promise<AgentRequest> {
    this.#prepared = await prepareAgent(this.#owned, signal)
    const earlier = await resumeEarlier(this.#owned, this.#prepared, signal)
    await this.#result.begin(this.#prepared.job.workspace)
    if (earlier === null) return this.#prepared.request
    const { launch, kept } = earlier
    this.#isResumed = true
    this.#supervision.monitor.resume(kept.id, kept.total)
    return prepareTurn(this.#owned, this.#prepared, { launch, turn: 1 })
  }

  async #check(ending: Ending): Promise<Ending | null> {
    const { socket } = this.#owned
    await this.#keepSession()
    if (ending.how === 'exited') {
      await socket?.idle()
      await this.#result.submit()
    }
    return checkEnding(this.#owned, ending, this.#supervision)
  }

  /** Saves the session, so that a later run of the card can resume it. */
  async #keepSession(): Promise<void> {
    const { session: id, sessionTotal: total } = this.#supervision.monitor
    if (id === null || this.#prepared === null) return
    const { directory, ticket } = this.#owned
    await keepSession(directory, { harness: ticket.harness, id, workspace: this.#prepared.job.workspace, total })
  }

  /**
   * Starts the agent again with the full briefing, if the resumed session no longer exists. In that case, the CLI has
   * failed before the model answered.
   */
  #restart({ how, exitCode = null }: Ending, turn: number): FurtherTurn | null {
    const isLost = this.#isResumed && how === 'exited' && exitCode !== 0 && !this.#supervision.monitor.hasAnswered
    this.#isResumed = false
    if (!isLost || this.#prepared === null) return null
    return { turn, call: { cause: 'session_lost', left: 0 }, launch: launchAnew(this.#prepared, turn) }
  }

  /**
   * Decides what follows the turn: another turn, or the ending of the run. Null means that another process settles the
   * run.
   */
  async #decide(ending: Ending, turn: number): Promise<FurtherTurn | Ending | null> {
    if (isJudgedRun(this.#owned.task, this.#owned.run)) {
      const judged = await this.#judge(ending, turn)
      if (judged !== 'ungoverned') return judged
    }
    return (await this.#next(ending, turn)) ?? ending
  }

  /** Asks the judge of the goal. */
  async #judge(ending: Ending, turn: number): Promise<FurtherTurn | Ending | null | 'ungoverned'> {
    // Few cards have a goal, so its code is loaded only here.
    const { judgeTurn } = await import('../goal/judge-turn.ts')
    const canContinue = this.#launch(turn, '') !== null
    const judged = await judgeTurn(this.#owned, ending, { supervision: this.#supervision, canContinue })
    if (judged.kind === 'over') return judged.ending
    if (judged.kind === 'ungoverned') return 'ungoverned'
    const { task, run } = this.#owned
    const { call, judgement, output } = judged
    const details = { task, phase: run.phase, output, fault: this.#result.fault, judgement }
    const launch = this.#launch(turn, turnMessage(call, details))
    return launch === null ? ending : { turn, call, launch }
  }

  /** The launch that continues the session. Null means that the agent cannot be resumed. */
  #launch(turn: number, message: string): Launch | null {
    if (this.#prepared === null) return null
    return launchResumed(this.#prepared, turn, { message, session: this.#supervision.monitor.session })
  }

  /** The next turn. Null means that the run is over or its agent cannot be resumed. */
  async #next({ how, exitCode = null, signal = null }: Ending, turn: number): Promise<FurtherTurn | null> {
    const { store, ticket, fence, task } = this.#owned
    const read = () => Promise.all([store.run(fence.runId), store.board(ticket.board)])
    const [run, board] = await retryUntilShutdown(this.#owned, read)
    if (run === null || this.#prepared === null) return null
    const checkTries = board?.settings.checkTries ?? 0
    const call = nextTurnAfter({ run, how, exitCode, signal, checkTries }, this.#reminders)
    if (call === null) return null
    const details = { task, phase: run.phase, output: failureIn(run), fault: this.#result.fault }
    const launch = this.#launch(turn, turnMessage(call, details))
    if (launch === null) return null
    this.#reminders = countReminder(this.#reminders, call, run)
    return { turn, call, launch }
  }

  /**
   * Prepares another turn. It first removes the files of the last turn, so that after a crash here the run counts as
   * interrupted and not as finished.
   */
  async #resume({ turn, call, launch }: FurtherTurn, signal: AbortSignal): Promise<AgentRequest | Cut> {
    const { store, ticket, fence, directory } = this.#owned
    const { board, task } = ticket
    if (this.#prepared === null) throw new Error('a later turn needs a first')
    await clearTurn(directory)
    const input = { task, fence, turn, ...call }
    const record = () => store.decide({ verb: 'next_turn', board, actor: SUPERVISOR, input })
    const begun = await retryUntilAvailable(record, { signal })
    if (!begun.ok) return { kind: begun.error.code === 'pending' ? 'intent' : 'superseded' }
    await noteInLog(directory.log, describeTurn(turn, call))
    await this.#result.begin(this.#prepared.job.workspace)
    return prepareTurn(this.#owned, this.#prepared, { launch, turn })
  }
}

const failureIn = ({ checks }: Pick<Run, 'checks'>): string | null =>
  checks === null || checks.passedAt !== null ? null : checks.output
