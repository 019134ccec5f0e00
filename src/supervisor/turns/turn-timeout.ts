/**
 * Whoever has given its verdict has said all there is to say, and ends its turn. One that does not is ended, and its
 * verdict stands; unless its checks have withdrawn it by then, and it works on.
 *   silent → said, checks over → overdue
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

  /** A turn begins; the cause to end it, if there comes to be one. */
  beginTurn(): Promise<Cause> {
    return new Promise((resolve) => (this.#overdue = resolve))
  }

  /** A verdict is on record. Its checks, if it has any, take the time they take. */
  start(): void {
    const turn = this.#overdue
    void this.#checkRunner.idle().then(() => {
      if (turn === null || turn !== this.#overdue) return
      this.#alarm?.stop()
      this.#alarm = setAlarm(this.#owned.ticket.turnEndMs, () => void this.#look(turn))
    })
  }

  /** The turn is over, however it came to that. */
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
