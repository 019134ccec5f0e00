/**
 * Ends a turn whose agent does not exit after its verdict. If failed checks withdrew the verdict, the agent continues.
 *   no verdict → verdict recorded, checks over → overdue
 */
import type { Cause } from '../end-agent.ts'
import { setAlarm } from '../alarm.ts'
import type { CheckRunner } from '../check-runner.ts'
import type { SupervisedRun } from '../supervised-run.ts'
import { retryUntilAvailable } from '../retry.ts'

export class TurnTimeout {
  readonly #owned: SupervisedRun
  readonly #checkRunner: Pick<CheckRunner, 'idle'>
  #alarm: { stop(): void } | null = null
  #overdue: ((cause: Cause) => void) | null = null

  constructor(owned: SupervisedRun, checkRunner: Pick<CheckRunner, 'idle'>) {
    this.#owned = owned
    this.#checkRunner = checkRunner
  }

  /** Resolves when the turn is overdue. */
  beginTurn(): Promise<Cause> {
    return new Promise((resolve) => (this.#overdue = resolve))
  }

  /** Called when a verdict is recorded. The timeout starts after its checks. */
  start(): void {
    const turn = this.#overdue
    void this.#checkRunner.idle().then(() => {
      if (turn === null || turn !== this.#overdue) return
      this.#alarm?.stop()
      this.#alarm = setAlarm(this.#owned.ticket.turnEndMs, () => void this.#look(turn))
    })
  }

  endTurn(): void {
    this.#alarm?.stop()
    this.#alarm = null
    this.#overdue = null
  }

  async #look(turn: (cause: Cause) => void): Promise<void> {
    const { store, fence } = this.#owned
    const run = await retryUntilAvailable(() => store.run(fence.runId)).catch(() => null)
    if (run !== null && run.verdict !== null && turn === this.#overdue) turn({ kind: 'overdue' })
  }
}
