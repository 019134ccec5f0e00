/**
 * Ends a turn if the agent does not exit after its verdict. The timeout starts when the checks are over. If failed
 * checks withdraw the verdict, the agent continues.
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
  /** Cancels a read that still waits for the store, because it would keep the process alive. */
  #ended = new AbortController()

  constructor(owned: SupervisedRun, checkRunner: Pick<CheckRunner, 'idle'>) {
    this.#owned = owned
    this.#checkRunner = checkRunner
  }

  /** Resolves when the time after the verdict has expired. */
  beginTurn(): Promise<Cause> {
    this.#ended = new AbortController()
    return new Promise((resolve) => (this.#overdue = resolve))
  }

  /** Call this method when a verdict is recorded. It waits for the checks to end and then starts the timeout. */
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
    this.#ended.abort()
  }

  async #look(turn: (cause: Cause) => void): Promise<void> {
    const { store, fence } = this.#owned
    const { signal } = this.#ended
    const run = await retryUntilAvailable(() => store.run(fence.runId), { signal }).catch(() => null)
    if (run !== null && run.verdict !== null && turn === this.#overdue) turn({ kind: 'overdue' })
  }
}
