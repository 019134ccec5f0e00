/** Reads the output of a run's agent for its session, its usage, and limits that stop it. */
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
import type { Ending } from '../settle.ts'

/**
 * CLIs shorten a conversation that is too long and retry. After this many overflows in a row it will not fit: OpenCode 1.18
 * retries forever.
 */
const OVERFLOWS = 5

export class OutputMonitor {
  readonly #owned: SupervisedRun
  readonly #onWall: (failure: Failure) => void
  readonly #lookMs: number | undefined
  #listener: LogFollower | null = null
  #alarm: { stop(): void } | null = null
  #waits: Failure | null = null
  #session: string | null = null
  readonly #meter = new UsageMeter()
  #said: string | null = null
  #hasAnswered = false

  /**
   * `onWall` is called when the agent is stuck: it has waited too long for a limit, or its conversation stays too long.
   */
  constructor(owned: SupervisedRun, onWall: (failure: Failure) => void, lookMs?: number) {
    this.#owned = owned
    this.#onWall = onWall
    this.#lookMs = lookMs
  }

  /** The CLI's own id of the session; null if it reports none. */
  get session(): string | null {
    return this.#session
  }

  /** Whether the model has answered in this run. */
  get hasAnswered(): boolean {
    return this.#hasAnswered
  }

  /** What the session has spent, earlier runs included, if its CLI reports that. */
  get sessionTotal(): Usage | null {
    return this.#meter.totalOf(this.#session)
  }

  /** The run resumes the session of an earlier run, which has spent `total` already. */
  resume(session: string, total: Usage | null): void {
    this.#session = session
    this.#meter.resume(session, total)
  }

  /** Of all turns. */
  get usage(): Usage | null {
    return this.#meter.spent
  }

  /** The agent's last message; null if its output is not parsed. */
  get said(): string | null {
    return this.#said
  }

  async beginTurn(readLine: ReadLine | null): Promise<void> {
    if (readLine === null) return
    const { LogFollower } = await import('../../harnesses/stream/log-follower.ts')
    const onChange = (heard: TurnSummary): void => this.#hear(heard)
    this.#listener = new LogFollower(this.#owned.directory.log, readLine, { onChange, lookMs: this.#lookMs })
    await this.#listener.begin()
  }

  /** All output is written: returns how the turn ended, given what the output shows. */
  async endTurn(ending: Ending): Promise<Ending> {
    const heard = await this.#listener?.end()
    this.#listener = null
    // Only now: the last line may report that the agent waits.
    this.#calm()
    if (heard === undefined) return ending
    this.#session = heard.session ?? this.#session
    this.#said = heard.lastMessage ?? this.#said
    this.#meter.add(heard)
    return classifyEnding(ending, heard)
  }

  #hear({ waits, hasAnswered, failure, overflows }: TurnSummary): void {
    if (overflows === OVERFLOWS && failure?.kind === 'context_overflow') this.#onWall(failure)
    this.#waits = waits
    if (waits === null) this.#calm()
    else this.#alarm ??= setAlarm(this.#owned.ticket.quotaWaitMs, () => this.#ring())
    if (!hasAnswered || this.#hasAnswered) return
    this.#hasAnswered = true
    void this.#reopen()
  }

  #calm(): void {
    this.#alarm?.stop()
    this.#alarm = null
  }

  #ring(): void {
    this.#alarm = null
    const waits = currentWait({ waits: this.#waits })
    if (waits !== null) this.#onWall(waits)
  }

  /** The model answered, so the account that this run probes is open. The dispatcher would notice later. */
  async #reopen(): Promise<void> {
    const { store, ticket, run } = this.#owned
    if (!run.probe || run.account === null) return
    const input = { account: run.account, probeRunId: run.id }
    await tryBriefly(() => store.decide({ verb: 'resume_account', board: ticket.board, actor: SUPERVISOR, input }))
  }
}
