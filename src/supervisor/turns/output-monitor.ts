/** What a run's agent tells of itself as it works: its session, what it spends, what keeps it from going on. */
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
 * Programs shorten a conversation that is too long, and ask again. One that is still too long after so many times, with
 * nothing done in between, will be: OpenCode goes on for ever (1.18).
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
   * `onWall`: it does not come further by itself. It has waited out a limit for too long, which its account can wait for
   * while its slot is free; or its conversation is too long and does not get shorter.
   */
  constructor(owned: SupervisedRun, onWall: (failure: Failure) => void, lookMs?: number) {
    this.#owned = owned
    this.#onWall = onWall
    this.#lookMs = lookMs
  }

  /** As its program calls the conversation; null where it does not say. */
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

  /** The agent's last words; null where its output is not read. */
  get said(): string | null {
    return this.#said
  }

  /** A turn begins. */
  async beginTurn(readLine: ReadLine | null): Promise<void> {
    if (readLine === null) return
    const { LogFollower } = await import('../../harnesses/stream/log-follower.ts')
    const onChange = (heard: TurnSummary): void => this.#hear(heard)
    this.#listener = new LogFollower(this.#owned.directory.log, readLine, { onChange, lookMs: this.#lookMs })
    await this.#listener.begin()
  }

  /** It is over, and nothing is printed any more: how it ended, in the light of what was heard. */
  async endTurn(ending: Ending): Promise<Ending> {
    const heard = await this.#listener?.end()
    this.#listener = null
    // Only now: the last that is heard may be that it waits.
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

  /** The model answered: the account that this run was to try is open. The dispatcher finds out too, only later. */
  async #reopen(): Promise<void> {
    const { store, ticket, run } = this.#owned
    if (!run.probe || run.account === null) return
    const input = { account: run.account, probeRunId: run.id }
    await tryBriefly(() => store.decide({ verb: 'resume_account', board: ticket.board, actor: SUPERVISOR, input }))
  }
}
