/** Follows the output of a run's agent. Finds the session, the usage, and limits that stop the agent. */
import { currentWait } from '../../harnesses/stream/turn-summary.ts'
import type { TurnSummary } from '../../harnesses/stream/turn-summary.ts'
import { classifyEnding } from '../../harnesses/stream/classify-ending.ts'
import type { LogFollower } from '../../harnesses/stream/log-follower.ts'
import type { Failure, ReadLine, Usage } from '../../harnesses/stream/entry.ts'
import { UsageMeter } from '../../harnesses/stream/usage-meter.ts'
import { setAlarm } from '../alarm.ts'
import { tryBriefly } from '../retry.ts'
import type { SupervisedRun } from '../supervised-run.ts'
import { SUPERVISOR } from '../supervised-run.ts'
import type { Ending } from '../../core/transitions/settlement/input.ts'

/**
 * After this number of overflows in a row, the agent counts as stuck. CLIs shorten a conversation that is too long and
 * retry; OpenCode 1.18 would retry forever.
 */
const OVERFLOWS = 5

export class OutputMonitor {
  readonly #owned: SupervisedRun
  readonly #onStuck: (failure: Failure) => void
  readonly #lookMs: number | undefined
  #follower: LogFollower | null = null
  #alarm: { stop(): void } | null = null
  #wait: Failure | null = null
  #session: string | null = null
  readonly #meter = new UsageMeter()
  #lastMessage: string | null = null
  #hasAnswered = false

  /** `onStuck` is called when the agent has waited too long for a limit, or its conversation stays too long. */
  constructor(owned: SupervisedRun, onStuck: (failure: Failure) => void, lookMs?: number) {
    this.#owned = owned
    this.#onStuck = onStuck
    this.#lookMs = lookMs
  }

  /** The id of the CLI's session. Null means that the CLI reports no session id. */
  get session(): string | null {
    return this.#session
  }

  /** Whether the model has answered in this run. */
  get hasAnswered(): boolean {
    return this.#hasAnswered
  }

  /** The usage of the session so far, including earlier runs. Null means that the CLI does not report usage. */
  get sessionTotal(): Usage | null {
    return this.#meter.totalOf(this.#session)
  }

  /** Starts with the session of an earlier run, which has already spent `total`. */
  resume(session: string, total: Usage | null): void {
    this.#session = session
    this.#meter.resume(session, total)
  }

  /** The usage of all turns. */
  get usage(): Usage | null {
    return this.#meter.spent
  }

  /** The agent's last message. Null means that no parser exists for its output. */
  get lastMessage(): string | null {
    return this.#lastMessage
  }

  async beginTurn(readLine: ReadLine | null): Promise<void> {
    if (readLine === null) return
    const { LogFollower } = await import('../../harnesses/stream/log-follower.ts')
    const onChange = (summary: TurnSummary): void => this.#onSummary(summary)
    this.#follower = new LogFollower(this.#owned.directory.log, readLine, { onChange, lookMs: this.#lookMs })
    await this.#follower.begin()
  }

  /** Reads the rest of the output after a turn. Returns how the turn ended, according to the output. */
  async endTurn(ending: Ending): Promise<Ending> {
    const summary = await this.#follower?.end()
    this.#follower = null
    // The alarm stops only now, because the last line may report that the agent waits.
    this.#stopAlarm()
    if (summary === undefined) return ending
    this.#session = summary.session ?? this.#session
    this.#lastMessage = summary.lastMessage ?? this.#lastMessage
    this.#meter.add(summary)
    return classifyEnding(ending, summary)
  }

  #onSummary({ waits, hasAnswered, failure, overflows }: TurnSummary): void {
    if (overflows === OVERFLOWS && failure?.kind === 'context_overflow') this.#onStuck(failure)
    this.#wait = waits
    if (waits === null) this.#stopAlarm()
    else this.#alarm ??= setAlarm(this.#owned.ticket.quotaWaitMs, () => this.#onAlarm())
    if (!hasAnswered || this.#hasAnswered) return
    this.#hasAnswered = true
    void this.#resumeAccount()
  }

  #stopAlarm(): void {
    this.#alarm?.stop()
    this.#alarm = null
  }

  #onAlarm(): void {
    this.#alarm = null
    const waits = currentWait({ waits: this.#wait })
    if (waits !== null) this.#onStuck(waits)
  }

  /**
   * If this run is the probe of a paused account, resumes the account when the model answers. Without this call, the
   * dispatcher would resume it later.
   */
  async #resumeAccount(): Promise<void> {
    const { store, ticket, run } = this.#owned
    if (!run.probe || run.account === null) return
    const input = { account: run.account, probeRunId: run.id }
    await tryBriefly(() => store.decide({ verb: 'resume_account', board: ticket.board, actor: SUPERVISOR, input }))
  }
}
