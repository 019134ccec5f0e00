/** The true course of the simulation, with which the oracle compares the board. */
import type { JudgeAnswer } from '../../src/core/vocabulary.ts'
import type { ProcessExit } from '../../src/processes/spawn.ts'

export interface RunTruth {
  task: string
  /** The number of turns so far. */
  turns: number
  /** The exit code of the worker in the last turn. Null means that a signal ended the worker. */
  ownExit: number | null
  /** Whether a signal from outside killed the wrapper or the worker of the run. */
  killed: boolean
  /** Whether a process of Muster has begun to end the wrapper or the worker of the run. */
  ended: boolean
  /** Whether a fault hit the supervisor, dispatcher, machine or store of the run. */
  affected: boolean
  /** The true time at which a shutdown from outside began. */
  shutDownAt: number | null
  /** The true time at which the supervisor of the run was last stopped. */
  stoppedAt: number | null
  /** How the supervisor of the run ended, as its dispatcher noticed. */
  supervisorExit: ProcessExit | null
  /** The time of the claim, as the monotonic time of the machine. */
  claimedAt: number | null
  claimedAtTrue: number
  lastSignOfLifeAt: number
  /** `said` is the verdict that the worker sent, and `heard` the verdict that was acknowledged. */
  said: string | null
  heard: string | null
  checkPassed: boolean
  /** The last answer of the judge, and how often the judge answered. */
  judged: JudgeAnswer | null
  judgements: number
  /** Whether the supervisor has read that its run is over, or that a person ends it. */
  knowsEnd: boolean
  /** The true time at which the run was closed. */
  closedAt: number | null
  checkFailed: boolean
  /** Whether the system refused to start a process of the run. */
  refused: boolean
}

export class Truth {
  readonly #runs = new Map<string, RunTruth>()
  readonly #attempts = new Map<string, number>()
  readonly #checked = new Map<string, number>()
  readonly #asked = new Map<string, number>()

  of(run: string): RunTruth {
    const known = this.#runs.get(run)
    if (known !== undefined) return known
    const made: RunTruth = {
      task: '',
      turns: 0,
      ownExit: null,
      killed: false,
      ended: false,
      affected: false,
      shutDownAt: null,
      stoppedAt: null,
      supervisorExit: null,
      claimedAt: null,
      claimedAtTrue: 0,
      lastSignOfLifeAt: 0,
      said: null,
      heard: null,
      checkPassed: false,
      judged: null,
      judgements: 0,
      knowsEnd: false,
      closedAt: null,
      checkFailed: false,
      refused: false,
    }
    this.#runs.set(run, made)
    return made
  }

  /** Counts an attempt and returns the number of earlier attempts. All turns of a run are one attempt. */
  nextAttempt(task: string, turn: number): number {
    const before = (this.#attempts.get(task) ?? 0) - (turn > 1 ? 1 : 0)
    this.#attempts.set(task, before + 1)
    return before
  }

  /** Counts a question to the judge about a card and returns the number of earlier ones. */
  nextQuestion(task: string): number {
    const before = this.#asked.get(task) ?? 0
    this.#asked.set(task, before + 1)
    return before
  }

  nextCheck(task: string): number {
    const before = this.#checked.get(task) ?? 0
    this.#checked.set(task, before + 1)
    return before
  }
}
