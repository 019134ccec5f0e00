/** What really happened in the simulation; the oracle compares the board with it. */
import type { ProcessExit } from '../../src/processes/spawn.ts'

export interface RunTruth {
  task: string
  /** How many turns it has had. */
  turns: number
  /** The code with which the worker of its last turn ended by itself. */
  ownExit: number | null
  /** Wrapper and worker as far as something outside killed them. */
  killed: boolean
  /** One of our own processes has begun to end it. */
  ended: boolean
  /** Something outside hit what looks after the run: supervisor, dispatcher, machine, store. */
  troubled: boolean
  /** When everything of it was asked to end from outside, by the true time. */
  shutDownAt: number | null
  /** When its supervisor was last stopped, by the true time. */
  stoppedAt: number | null
  /** How the supervisor ended that its dispatcher had started. */
  supervisorExit: ProcessExit | null
  /** By the running time of its machine. */
  claimedAt: number | null
  claimedAtTrue: number
  lastSignOfLifeAt: number
  /** The verdict that the worker gave, acknowledged or not, and the one that was acknowledged. */
  said: string | null
  heard: string | null
  checkPassed: boolean
  checkFailed: boolean
  /** The system refused to start something of it. */
  refused: boolean
}

export class Truth {
  readonly #runs = new Map<string, RunTruth>()
  readonly #attempts = new Map<string, number>()
  readonly #checked = new Map<string, number>()

  of(run: string): RunTruth {
    const known = this.#runs.get(run)
    if (known !== undefined) return known
    const made: RunTruth = {
      task: '',
      turns: 0,
      ownExit: null,
      killed: false,
      ended: false,
      troubled: false,
      shutDownAt: null,
      stoppedAt: null,
      supervisorExit: null,
      claimedAt: null,
      claimedAtTrue: 0,
      lastSignOfLifeAt: 0,
      said: null,
      heard: null,
      checkPassed: false,
      checkFailed: false,
      refused: false,
    }
    this.#runs.set(run, made)
    return made
  }

  /** How many workers of a card have begun before this one; those of one run, turn by turn, are one. */
  nextAttempt(task: string, turn: number): number {
    const before = (this.#attempts.get(task) ?? 0) - (turn > 1 ? 1 : 0)
    this.#attempts.set(task, before + 1)
    return before
  }

  nextCheck(task: string): number {
    const before = this.#checked.get(task) ?? 0
    this.#checked.set(task, before + 1)
    return before
  }
}
